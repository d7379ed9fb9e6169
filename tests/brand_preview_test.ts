import assert from "node:assert/strict";
import { previewBrand } from "./brand_preview.ts";
import { LOGO, writeContent } from "./support/brand.ts";

Deno.test("previewBrand() shows every page, letter and the console, light and dark, and needs no other file", async () => {
  await using own = await writeContent({
    "brand.yaml": 'name: "A & B"\nlogo: logo.svg\ncolors: { light: { accent: "#7a1fa2" } }\n',
    "logo.svg": LOGO,
  });
  const { html, warnings } = await previewBrand({ CONTENT_PATH: own.path });
  assert.ok(warnings.some(({ about }) => about === "contact"));
  assert.match(html, /<title>A &amp; B: pages, letters and console<\/title>/);
  const frames = Array.from(
    html.matchAll(/<iframe title="([^"]+)" sandbox="" loading="lazy" srcdoc="([^"]+)"/g),
  );
  const titles = frames.map(([, title]) => title);
  for (const [page, inGerman] of Object.entries(SOME_PAGES)) {
    for (const mode of ["light", "dark"]) {
      assert.ok(titles.includes(`${page}, English, ${mode}`), page);
      assert.ok(titles.includes(`${inGerman}, Deutsch, ${mode}`), inGerman);
    }
  }
  let branded = 0;
  for (const [, title = "", document = ""] of frames) {
    assert.doesNotMatch(
      document,
      /(?:src|href|srcset)=&quot;\/assets\/|&lt;script|prefers-color-scheme/,
      title,
    );
    if (!/Join the waitlist|Auf die Warteliste/.test(title)) {
      assert.match(document, /A &amp;amp; B/, title);
    }
    const mode = title.split(", ").at(-1);
    assert.match(document, new RegExp(`color-scheme&quot; content=&quot;${mode}&quot;`), title);
    const sheets = document.matchAll(/data:text\/css;charset=utf-8;base64,([\w+/=]+)/g);
    for (const [, css = ""] of sheets) {
      const text = atob(css);
      assert.doesNotMatch(text, /prefers-color-scheme|url\(["']?\/?assets/, title);
      const rule = /@media screen and \((max|min)-width: 0\) \{\s*:root \{[^}]*--accent: #7a1fa2/;
      const own = rule.exec(text)?.[1];
      if (!own) continue;
      branded++;
      assert.equal(own, mode === "light" ? "min" : "max", title);
    }
  }
  const letters = titles.filter((title) => title!.startsWith("Letter: "));
  assert.equal(letters.length, 5 * 2 * 2);
  assert.equal(branded, frames.length - letters.length, "letters have no style sheet");
});

/** Some titles in English and in German: pages, the form for frames, letters, and the console. */
const SOME_PAGES = {
  "Early access": "Früher Zugang",
  "Thank you": "Vielen Dank",
  "Join the waitlist": "Auf die Warteliste",
  "Your place": "Ihr Platz",
  "Page not found": "Seite nicht gefunden",
  "Not quite there yet": "Fast geschafft",
  "Letter: invitation": "Letter: invitation",
  "Console sign-in": "Console sign-in",
  "Console /operator/people/": "Console /operator/people/",
  "Console person": "Console person",
  "Console plan": "Console plan",
  "Console wave": "Console wave",
  "Console cancel": "Console cancel",
  "Console secret": "Console secret",
  "Console delete": "Console delete",
  "Letter: attention": "Letter: attention",
};
