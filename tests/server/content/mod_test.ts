import assert from "node:assert/strict";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { copyContent } from "../../support/content.ts";

const FRONT = "path: /a/\nlang: en\ntitle: A\ndescription: About a.";

Deno.test("readContent() reads the front matter and the text of a page", async () => {
  await using copy = await copyContent();
  await Deno.writeTextFile(new URL("en/a.md", copy.folder), `---\n${FRONT}\n---\n\n# A\n`);
  const { languages: [en] } = await readContent(copy.folder);
  assert.deepEqual(en?.pages.find(({ name }) => name === "a"), {
    label: "content/en/a.md",
    name: "a",
    path: "/a/",
    lang: "en",
    title: "A",
    description: "About a.",
    layout: "text",
    indexed: true,
    body: "\n# A\n",
  });
});

Deno.test("readContent() puts English before German, because the English home page has the path '/'", async () => {
  const { languages, assets } = await readContent(CONTENT_FOLDER);
  const homes = languages.map(({ lang, home }) => [lang, home.path]);
  assert.deepEqual(homes, [["en", "/"], ["de", "/de/"]]);
  assert(assets.some(({ name }) => name === "site.css"));
});

Deno.test("readContent() names the missing file or key of a language", async (t) => {
  const table: [file: string, text: string | undefined, message: RegExp][] = [
    ["de/index.md", undefined, /^content\/de\/index\.md is missing/],
    ["de/not-found.md", undefined, /^content\/de\/not-found\.md is missing/],
    ["de/texts.yaml", undefined, /^content\/de\/texts\.yaml is missing/],
    ["de/texts.yaml", "name: Deutsch\n", /^content\/de\/texts\.yaml: locale: .*; skip: /],
  ];
  for (const [file, text, message] of table) {
    await t.step(`the fault matches ${message}`, async () => {
      await using copy = await copyContent();
      if (text === undefined) await Deno.remove(new URL(file, copy.folder));
      else await Deno.writeTextFile(new URL(file, copy.folder), text);
      await assert.rejects(readContent(copy.folder), { message });
    });
  }
});
