import assert from "node:assert/strict";
import type { MarkdownOptions } from "../../../server/content/markdown.ts";
import { plainMarkdown, renderMarkdown } from "../../../server/content/markdown.ts";

const options: MarkdownOptions = {
  replaceMarker: (name) => `[${name}]`,
  image: (address) => ({ src: `${address}?v=1`, width: 4, height: 3 }),
  tableLabel: 'Table "one"',
};

Deno.test("renderMarkdown() writes a section element, and replaces a marker by the HTML that replaceMarker() returns", () => {
  const { html } = renderMarkdown(
    "::: hero\n\n# Hello\n\n{{sign-up hero}}\n\n:::\n\nAfter\n",
    options,
  );
  assert.equal(
    html,
    '<section class="hero">\n<div class="inside">\n<h1>Hello</h1>\n[sign-up hero]\n' +
      "</div>\n</section>\n<p>After</p>\n",
  );
});

Deno.test("renderMarkdown() throws an error with the name of an unknown section and the sections that exist", () => {
  assert.throws(() => renderMarkdown("::: heros\n\nHi\n\n:::\n", options), {
    message:
      "::: heros is not a section; the sections are hero, about, steps, facts, quotes, logos, split, questions, " +
      "call, quiet, thanks, letter, lost, kept, choices, recommend, more, rows",
  });
});

Deno.test("renderMarkdown() makes the section 'more' collapsible, and throws an error when the section has no heading", () => {
  const { html } = renderMarkdown("::: more\n\n## Why?\n\nBecause.\n\n:::\n", options);
  assert.equal(
    html,
    '<section class="more">\n<details class="inside">\n<summary><h2 id="why">Why?</h2></summary>\n' +
      "<p>Because.</p>\n</details>\n</section>\n",
  );
  assert.throws(() => renderMarkdown("::: more\n\nHi\n\n:::\n", options), {
    message: "::: more must begin with a heading",
  });
});

Deno.test("renderMarkdown() keeps an opening bracket and the code after the bracket on the same line", () => {
  const { html } = renderMarkdown("A (`b`, `c`)\n\n```\nf(`d`)\n```\n", options);
  assert.match(
    html,
    /^<p>A <span class="bracket">\(<code>b<\/code><\/span>, <code>c<\/code>\)<\/p>/,
  );
  assert.doesNotMatch(html, /<pre[^]*bracket/);
});

Deno.test("renderMarkdown() gives equal headings different ids", () => {
  const { html, headings } = renderMarkdown("## Größe & `Maß`\n\n### Groesse mass\n", options);
  assert.match(html, /<h2 id="groesse-mass">/);
  assert.match(html, /<h3 id="groesse-mass-2">/);
  assert.deepEqual(headings.map(({ level, id }) => [level, id]), [
    [2, "groesse-mass"],
    [3, "groesse-mass-2"],
  ]);
});

Deno.test("renderMarkdown() lets a keyboard reach the code blocks and tables that scroll", () => {
  const code = renderMarkdown("```sh\n# note\ncurl <a>\n```\n", options).html;
  assert.equal(
    code,
    '<pre tabindex="0" data-language="sh"><code><span class="comment"># note</span>\n' +
      '<span class="word">curl</span> &lt;a&gt;\n</code></pre>\n',
  );
  const written = "| A | `C` |\n| - | - |\n| `b` | d |\n| `e` | f |\n";
  const table = renderMarkdown(written, options).html;
  assert.match(
    table,
    /<div class="table" role="group" aria-label="Table &quot;one&quot;" tabindex="0">/,
  );
  assert.match(table, /<th scope="col">A<\/th>/);
  // On a phone, each cell has the name of its column.
  const row = (a: string, c: string) =>
    `<td data-label="A"><code>${a}</code></td>\n<td data-label="C">${c}</td>`;
  assert.ok(table.includes(row("b", "d")) && table.includes(row("e", "f")), table);
});

Deno.test("renderMarkdown() writes the width and height of an image", () => {
  assert.equal(
    renderMarkdown("![A sun](/assets/sun.svg)\n", options).html,
    '<p><img src="/assets/sun.svg?v=1" alt="A sun" width="4" height="3" loading="lazy"></p>\n',
  );
});

Deno.test("renderMarkdown() loads the picture of a hero at once, and other pictures lazily", () => {
  const { html } = renderMarkdown(
    "::: hero\n\n![](/assets/a.svg)\n\n:::\n\n::: facts\n\n![](/assets/b.svg)\n\n:::\n",
    options,
  );
  assert.match(html, /a\.svg\?v=1" alt="" width="4" height="3" fetchpriority="high">/);
  assert.match(html, /b\.svg\?v=1" alt="" width="4" height="3" loading="lazy">/);
});

Deno.test("plainMarkdown() removes HTML comments, decorative images and the ::: lines around a section, and replaces the marker {{try-it}}", () => {
  const text = "<!-- a note\nto editors -->\n::: hero\n\n# Hi\n\n![](/assets/sun.svg)\n\n" +
    "{{try-it}}\n\n:::\n\n{{base_url}}\n";
  assert.equal(plainMarkdown(text, options.replaceMarker), "# Hi\n\n[try-it]\n\n{{base_url}}\n");
  assert.doesNotMatch(renderMarkdown(text, options).html, /note|:::/);
});
