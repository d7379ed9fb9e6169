import assert from "node:assert/strict";
import {
  fill,
  fillHtml,
  fillMarkdown,
  placeholdersOf,
} from "../../../server/content/placeholders.ts";

const values = {
  site_name: "A & B <i>*bold*</i>",
  contact: "https://example.com/contact_(us)",
  base_url: "https://waitlist.test",
  sandbox_client: "sandbox_client_1",
};

Deno.test("placeholdersOf() removes mailto: or https: from the contact, and writes 'days' or 'Tage' by the language", () => {
  const placeholders = (contact: string, lang = "en") =>
    placeholdersOf({ siteName: "", contact, unconfirmedDays: 14 }, lang);
  assert.equal(placeholders("mailto:hello@example.com").contact_name, "hello@example.com");
  assert.equal(
    placeholders("mailto:hello@example.com?subject=Hi").contact_name,
    "hello@example.com",
  );
  assert.equal(placeholders("https://example.com/contact/").contact_name, "example.com/contact");
  assert.equal(placeholders("https://a.example/").unconfirmed_days, "14 days");
  assert.equal(placeholders("https://a.example/", "de").unconfirmed_days, "14 Tage");
});

Deno.test("fill() does not escape values", () => {
  assert.equal(fill("At {{site_name}}", values), "At A & B <i>*bold*</i>");
});

Deno.test("fillHtml() escapes values for HTML, also for placeholders in percent-encoded URLs", () => {
  assert.equal(
    fillHtml('<a href="%7B%7Bcontact%7D%7D">{{site_name}}</a>', values),
    '<a href="https://example.com/contact_(us)">A &amp; B &lt;i&gt;*bold*&lt;/i&gt;</a>',
  );
});

Deno.test("fillMarkdown() escapes values in text, and does not escape values in code", () => {
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

Deno.test("fill() throws an error with the unknown placeholder and the placeholders that exist", () => {
  assert.throws(() => fill("{{site_nam}}", values), {
    message:
      "{{site_nam}} is not a placeholder; the placeholders are {{site_name}}, {{contact}}, " +
      "{{base_url}}, {{sandbox_client}}",
  });
});
