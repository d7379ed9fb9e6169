import assert from "node:assert/strict";
import { createLetterTextRenderer } from "../../../server/content/letter_text.ts";

/** Renders Markdown with two placeholders. */
function render(markdown: string, name = "Example", url = "https://example.com/"): string {
  return createLetterTextRenderer(markdown)({ name, url });
}

Deno.test("createLetterTextRenderer() writes the URL of a link on its own line when the link stands alone in a paragraph", () => {
  const url = `https://example.com/place/?t=${"x".repeat(200)}`;
  assert.equal(render("Hello,\n\n[My page]({{url}})\n", "", url), `Hello,\n\nMy page:\n${url}\n`);
});

Deno.test("createLetterTextRenderer() writes the URL of a link after its text when the link stands in a sentence", () => {
  assert.equal(render("See [our page]({{url}})."), "See our page: <https://example.com/>.\n");
  assert.equal(render("Write to [a@b.co](mailto:a@b.co)."), "Write to a@b.co.\n");
  assert.equal(render("See [{{url}}]({{url}})."), "See https://example.com/.\n");
});

Deno.test("createLetterTextRenderer() breaks lines at 72 characters, and never inside a URL", () => {
  const long = `https://example.com/${"y".repeat(90)}`;
  const text = render(`${"word ".repeat(40)} [here](${long}) ${"word ".repeat(20)}`);
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.includes(`<${long}>`), text);
  assert.ok(lines.every((line) => line.length <= 72 || line === `<${long}>`), text);
  assert.ok(lines.slice(0, 2).every((line) => line.length > 66), text);
});

Deno.test("createLetterTextRenderer() does not read the values of placeholders as Markdown", () => {
  const name = "*A* [b](c) <i>d</i> {{url}} &amp;";
  assert.equal(render("At **{{name}}**", name), `At ${name}\n`);
});

Deno.test("createLetterTextRenderer() keeps lists, quotes, code, line breaks and signatures as plain text", () => {
  const markdown = "# Title\n\n1. One\n2. Two\n   more\n\n> Said\n\n```\na  b\n```\n\n" +
    "- x\n- y\n\n---\n\n{{name}}\\\nLine `two`\n\n<!-- a note -->\n";
  assert.equal(
    render(markdown),
    "Title\n\n1. One\n2. Two more\n\n> Said\n\n    a  b\n\n- x\n- y\n\n-- \nExample\nLine two\n",
  );
});

Deno.test("createLetterTextRenderer() throws an error with the type of an element that plain text cannot show", async (t) => {
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
