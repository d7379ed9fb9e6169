import assert from "node:assert/strict";
import { previewBrand } from "../../../server/site/brand_preview.ts";
import { createSite } from "../../../server/site/mod.ts";
import { LOGO, writeContent } from "../../support/brand.ts";
import { SITE_OPTIONS } from "../../support/content.ts";

Deno.test("previewBrand() shows four pages in two languages, light and dark, and needs no other file", async () => {
  await using own = await writeContent({
    "brand.yaml": 'name: "A & B"\nlogo: logo.svg\ncolors: { light: { accent: "#7a1fa2" } }\n',
    "logo.svg": LOGO,
  });
  const options = { ...SITE_OPTIONS, mail: true, contentPath: own.path };
  const html = await previewBrand(await createSite(options), options);
  assert.match(html, /<title>A &amp; B: pages and letters<\/title>/);
  const frames = Array.from(html.matchAll(/<iframe title="([^"]+)" sandbox="" srcdoc="([^"]+)"/g));
  const titles = ["Home", "Thanks", "Letter", "Unknown path"];
  assert.deepEqual(
    frames.map(([, title]) => title),
    ["English", "Deutsch"].flatMap((language) =>
      titles.flatMap((title) => ["light", "dark"].map((mode) => `${title}, ${language}, ${mode}`))
    ),
  );
  let branded = 0;
  for (const [, title = "", document = ""] of frames) {
    assert.doesNotMatch(
      document,
      /(?:src|href)=&quot;\/assets\/|&lt;script|prefers-color-scheme/,
      title,
    );
    assert.match(document, /A &amp;amp; B/, title);
    const mode = title.split(", ").at(-1);
    assert.match(document, new RegExp(`color-scheme&quot; content=&quot;${mode}&quot;`), title);
    for (
      const [, css = ""] of document.matchAll(/data:text\/css;charset=utf-8;base64,([\w+/=]+)/g)
    ) {
      const text = atob(css);
      assert.doesNotMatch(text, /prefers-color-scheme|url\(["']?\/?assets/, title);
      const [, own] =
        /@media screen and \((max|min)-width: 0\) \{\s*:root \{[^}]*--accent: #7a1fa2/.exec(text) ??
          [];
      if (!own) continue;
      branded++;
      assert.equal(own, mode === "light" ? "min" : "max", title);
    }
  }
  assert.equal(branded, 12, "all but the letters have the style sheet of the brand");
});
