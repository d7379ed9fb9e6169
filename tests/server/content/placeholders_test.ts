import assert from "node:assert/strict";
import {
  fill,
  fillHtml,
  fillMarkdown,
  placeholdersOf,
} from "../../../server/content/placeholders.ts";

const values = placeholdersOf({
  siteName: "A & B <i>*bold*</i>",
  contact: "https://example.com/contact_(us)",
  baseUrl: "https://waitlist.test",
  sandboxClient: "sandbox_client_1",
});

Deno.test("placeholdersOf() names the contact as a person writes it when it is a URL", () => {
  const name = (contact: string) =>
    placeholdersOf({ siteName: "", contact, baseUrl: "", sandboxClient: "" }).contact_name;
  assert.equal(name("mailto:hello@example.com"), "hello@example.com");
  assert.equal(name("mailto:hello@example.com?subject=Hi"), "hello@example.com");
  assert.equal(name("https://example.com/contact/"), "example.com/contact");
});

Deno.test("fill() leaves values as they are when the text is plain", () => {
  assert.equal(fill("At {{site_name}}", values), "At A & B <i>*bold*</i>");
});

Deno.test("fillHtml() escapes values, those in percent-encoded addresses too, when it fills HTML", () => {
  assert.equal(
    fillHtml('<a href="%7B%7Bcontact%7D%7D">{{site_name}}</a>', values),
    '<a href="https://example.com/contact_(us)">A &amp; B &lt;i&gt;*bold*&lt;/i&gt;</a>',
  );
});

Deno.test("fillMarkdown() escapes values in text alone when it fills Markdown", () => {
  assert.equal(
    fillMarkdown("{{site_name}} [here]({{contact}}) `{{sandbox_client}}` {{base_url}}", values),
    "A \\& B \\<i\\>\\*bold\\*\\</i\\> [here](https://example.com/contact_%28us%29) " +
      "`sandbox_client_1` https://waitlist.test",
  );
  const code = '```sh\ncurl -u "{{sandbox_client}}" {{base_url}}\n```';
  assert.equal(
    fillMarkdown(code, values),
    '```sh\ncurl -u "sandbox_client_1" https://waitlist.test\n```',
  );
});

Deno.test("fill() names the placeholder and the ones that exist when it is not known", () => {
  assert.throws(() => fill("{{site_nam}}", values), {
    message:
      "{{site_nam}} is not a placeholder; the placeholders are {{site_name}}, {{contact}}, " +
      "{{contact_name}}, {{base_url}}, {{sandbox_client}}",
  });
});
