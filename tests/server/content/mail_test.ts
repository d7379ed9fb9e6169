import assert from "node:assert/strict";
import { renderMailHtml, textRenderer } from "../../../server/content/mail.ts";

const BRAND = {
  light: { accent: "#7a1fa2", ink: "#222222", paper: "#fefefe" },
  dark: { accent: "#e1bee7", ink: "#eeeeee", paper: "#101010" },
};

const title = "Grüße <an> {{site_name}}";
const markdown =
  "Hallo,\n\n[Knopf]({{url}})\n\nMehr [dort]({{url}}).\n\n---\n\nEnde\n\n<!-- note -->\n";
const html = renderMailHtml({ lang: "de", title, markdown }, BRAND);

Deno.test("renderMailHtml() turns a link into a button when the link stands alone in a paragraph", () => {
  assert.match(html, /<p><a class="button" style="[^"]+" href="%7B%7Burl%7D%7D">Knopf<\/a><\/p>/);
  assert.match(html, /<p>Mehr <a style="[^"]+" href="%7B%7Burl%7D%7D">dort<\/a>\.<\/p>/);
});

Deno.test("renderMailHtml() writes HTML that loads nothing from anywhere", () => {
  assert.doesNotMatch(html, /<(?:img|link|script|iframe)\b|\bsrc=|url\(|@import|note/);
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
});

Deno.test("renderMailHtml() writes the brand's light colours into style attributes of the letter's elements", () => {
  const { accent, ink, paper } = BRAND.light;
  const ground = `background:${paper};color:${ink}`;
  // Some mail programs drop the body, or only its style.
  assert.match(html, new RegExp(`<body [^>]*style="[^"]*${ground}"`));
  assert.match(html, new RegExp(`<div [^>]*style="[^"]*${ground}"`));
  assert.match(html, new RegExp(`style="[^"]*background:${accent};color:${paper}"[^>]*>Knopf<`));
  assert.match(html, new RegExp(`<a style="color:${accent}" href="[^"]+">dort<`));
});

Deno.test("renderMailHtml() writes the brand's dark colours only into a style sheet", () => {
  const { accent, ink, paper } = BRAND.dark;
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  assert.match(style, /@media \(prefers-color-scheme: dark\) {/);
  const rule = (background: string, color: string) =>
    `{ background: ${background} !important; color: ${color} !important; }`;
  assert.ok(style.includes(rule(paper, ink)), style);
  assert.ok(style.includes(rule(accent, paper)), style);
  assert.ok(style.includes(`a { color: ${accent} !important; }`), style);
  for (const color of Object.values(BRAND.dark)) {
    assert.ok(
      !html.replace(style, "").includes(color),
      "dark colours are in the style sheet alone",
    );
  }
});

/** Renders Markdown with two placeholders. */
function render(markdown: string, name = "Example", url = "https://example.com/"): string {
  return textRenderer(markdown)({ name, url });
}

Deno.test("textRenderer() writes the URL of a link on its own line when the link stands alone in a paragraph", () => {
  const url = `https://example.com/place/?t=${"x".repeat(200)}`;
  assert.equal(render("Hello,\n\n[My page]({{url}})\n", "", url), `Hello,\n\nMy page:\n${url}\n`);
});

Deno.test("textRenderer() writes the URL of a link after its text when the link stands in a sentence", () => {
  assert.equal(render("See [our page]({{url}})."), "See our page: <https://example.com/>.\n");
  assert.equal(render("Write to [a@b.co](mailto:a@b.co)."), "Write to a@b.co.\n");
  assert.equal(render("See [{{url}}]({{url}})."), "See https://example.com/.\n");
});

Deno.test("textRenderer() breaks lines at 72 characters, and never inside a URL", () => {
  const long = `https://example.com/${"y".repeat(90)}`;
  const text = render(`${"word ".repeat(40)} [here](${long}) ${"word ".repeat(20)}`);
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.includes(`<${long}>`), text);
  assert.ok(lines.every((line) => line.length <= 72 || line === `<${long}>`), text);
  assert.ok(lines.slice(0, 2).every((line) => line.length > 66), text);
});

Deno.test("textRenderer() does not read the values of placeholders as Markdown", () => {
  const name = "*A* [b](c) <i>d</i> {{url}} &amp;";
  assert.equal(render("At **{{name}}**", name), `At ${name}\n`);
});

Deno.test("textRenderer() keeps lists, quotes, code, line breaks and signatures as plain text", () => {
  const markdown = "# Title\n\n1. One\n2. Two\n   more\n\n> Said\n\n```\na  b\n```\n\n" +
    "- x\n- y\n\n---\n\n{{name}}\\\nLine `two`\n\n<!-- a note -->\n";
  assert.equal(
    render(markdown),
    "Title\n\n1. One\n2. Two more\n\n> Said\n\n    a  b\n\n- x\n- y\n\n-- \nExample\nLine two\n",
  );
});

Deno.test("textRenderer() throws an error with the type of an element that plain text cannot show", async (t) => {
  for (
    const [markdown, type] of [
      ["![A picture](/assets/dawn.svg)", "image"],
      ["| a |\n| - |\n| b |", "table"],
      ["<div>x</div>", "html"],
      ["a <b>c</b>", "html"],
    ] as const
  ) {
    await t.step(`the Markdown is ${JSON.stringify(markdown)}`, () => {
      const message = `plain text cannot show a Markdown element of the type '${type}'`;
      assert.throws(() => render(markdown), { message });
    });
  }
  assert.throws(() => render("{{nobody}}"), { message: /^{{nobody}} is not a placeholder/ });
});
