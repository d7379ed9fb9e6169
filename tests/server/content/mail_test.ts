import assert from "node:assert/strict";
import { renderMailHtml, textRenderer } from "../../../server/content/mail.ts";

const html = renderMailHtml({
  lang: "de",
  title: "Grüße <an> {{site_name}}",
  markdown: "Hallo,\n\n[Knopf]({{url}})\n\nMehr [dort]({{url}}).\n\n---\n\nEnde\n\n<!-- note -->\n",
});

Deno.test("renderMailHtml() names the language and the title when it makes a document", () => {
  assert.match(html, /^<!DOCTYPE html>\n<html lang="de">/);
  assert.match(html, /<title>Grüße &lt;an&gt; {{site_name}}<\/title>/);
});

Deno.test("renderMailHtml() makes a button of a link when it stands alone", () => {
  assert.match(html, /<p><a style="[^"]+" href="%7B%7Burl%7D%7D">Knopf<\/a><\/p>/);
  assert.match(html, /<p>Mehr <a href="%7B%7Burl%7D%7D">dort<\/a>\.<\/p>/);
});

Deno.test("renderMailHtml() loads nothing and sets no colours when it styles a letter", () => {
  assert.doesNotMatch(html, /<(?:img|link|script|style|iframe)\b|\bsrc=|url\(|@import|note/);
  assert.doesNotMatch(html, /(?:color|background):/);
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
});

/** Renders Markdown with two placeholders. */
function render(markdown: string, name = "Example", url = "https://example.com/"): string {
  return textRenderer(markdown)({ name, url });
}

Deno.test("textRenderer() shows an address on a line of its own when a link stands alone", () => {
  const url = `https://example.com/place/?t=${"x".repeat(200)}`;
  assert.equal(render("Hello,\n\n[My page]({{url}})\n", "", url), `Hello,\n\nMy page:\n${url}\n`);
});

Deno.test("textRenderer() shows a link's address after its text when it stands in a sentence", () => {
  assert.equal(render("See [our page]({{url}})."), "See our page: <https://example.com/>.\n");
  assert.equal(render("Write to [a@b.co](mailto:a@b.co)."), "Write to a@b.co.\n");
  assert.equal(render("See [{{url}}]({{url}})."), "See https://example.com/.\n");
});

Deno.test("textRenderer() breaks lines at 72 characters and no address when text is long", () => {
  const long = `https://example.com/${"y".repeat(90)}`;
  const text = render(`${"word ".repeat(40)} [here](${long}) ${"word ".repeat(20)}`);
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.includes(`<${long}>`), text);
  assert.ok(lines.every((line) => line.length <= 72 || line === `<${long}>`), text);
  assert.ok(lines.slice(0, 2).every((line) => line.length > 66), text);
});

Deno.test("textRenderer() fills values after Markdown is read when they look like Markdown", () => {
  const name = "*A* [b](c) <i>d</i> {{url}} &amp;";
  assert.equal(render("At **{{name}}**", name), `At ${name}\n`);
});

Deno.test("textRenderer() keeps lists, quotes, code, breaks and signatures when they are written", () => {
  const markdown = "# Title\n\n1. One\n2. Two\n   more\n\n> Said\n\n```\na  b\n```\n\n" +
    "- x\n- y\n\n---\n\n{{name}}\\\nLine `two`\n\n<!-- a note -->\n";
  assert.equal(
    render(markdown),
    "Title\n\n1. One\n2. Two more\n\n> Said\n\n    a  b\n\n- x\n- y\n\n-- \nExample\nLine two\n",
  );
});

Deno.test("textRenderer() names what text cannot show when a letter has it", () => {
  for (
    const [markdown, type] of [
      ["![A picture](/assets/dawn.svg)", "image"],
      ["| a |\n| - |\n| b |", "table"],
      ["<div>x</div>", "html"],
      ["a <b>c</b>", "html"],
    ] as const
  ) {
    const message = `plain text cannot show a Markdown element of the type '${type}'`;
    assert.throws(() => render(markdown), { message });
  }
  assert.throws(() => render("{{nobody}}"), { message: /^{{nobody}} is not a placeholder/ });
});
