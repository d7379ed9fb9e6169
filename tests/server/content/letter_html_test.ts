import assert from "node:assert/strict";
import { renderLetterHtml } from "../../../server/content/letter_html.ts";

const BRAND = {
  light: { accent: "#7a1fa2", ink: "#222222", paper: "#fefefe" },
  dark: { accent: "#e1bee7", ink: "#eeeeee", paper: "#101010" },
};

const title = "Grüße <an> {{site_name}}";
const markdown =
  "Hallo,\n\n[Knopf]({{url}})\n\nMehr [dort]({{url}}).\n\n---\n\nEnde\n\n<!-- note -->\n";
const html = renderLetterHtml({ lang: "de", title, markdown }, BRAND);

Deno.test("renderLetterHtml() turns a link into a button when the link stands alone in a paragraph", () => {
  assert.match(html, /<p><a class="button" style="[^"]+" href="%7B%7Burl%7D%7D">Knopf<\/a><\/p>/);
  assert.match(html, /<p>Mehr <a style="[^"]+" href="%7B%7Burl%7D%7D">dort<\/a>\.<\/p>/);
});

Deno.test("renderLetterHtml() writes HTML that loads nothing from anywhere", () => {
  assert.doesNotMatch(html, /<(?:img|link|script|iframe)\b|\bsrc=|url\(|@import|note/);
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
});

Deno.test("renderLetterHtml() writes the brand's light colours into style attributes of the letter's elements", () => {
  const { accent, ink, paper } = BRAND.light;
  const ground = `background:${paper};color:${ink}`;
  // Some mail programs drop the body, or only its style.
  assert.match(html, new RegExp(`<body [^>]*style="[^"]*${ground}"`));
  assert.match(html, new RegExp(`<div [^>]*style="[^"]*${ground}"`));
  assert.match(html, new RegExp(`style="[^"]*background:${accent};color:${paper}"[^>]*>Knopf<`));
  assert.match(html, new RegExp(`<a style="color:${accent}" href="[^"]+">dort<`));
});

Deno.test("renderLetterHtml() writes the brand's dark colours only into a style sheet", () => {
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
