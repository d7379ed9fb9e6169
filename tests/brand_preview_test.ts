import assert from "node:assert/strict";
import { previewBrand } from "./brand_preview.ts";
import { LOGO, writeContent } from "./support/brand.ts";

Deno.test("previewBrand() makes one HTML file that shows all pages, letters and the console, each in light and in dark colours", async () => {
  await using own = await writeContent({
    "brand.yaml": 'name: "A & B"\nlogo: logo.svg\ncolors: { light: { accent: "#7a1fa2" } }\n',
    "logo.svg": LOGO,
  });
  const { html, warnings } = await previewBrand({ CONTENT_PATH: own.path });
  assert.ok(warnings.some(({ about }) => about === "contact"));
  assert.match(html, /<title>A &amp; B: pages, letters and console<\/title>/);
  assert.ok(html.length < 3_000_000, `${html.length} bytes`);
  const frames = Array.from(
    html.matchAll(
      /<iframe title="([^"]+), (\w+)"\s+sandbox="" loading="lazy" data-mode="\2" data-page="([^"]+)"/g,
    ),
    ([, title = "", mode = "", page = ""]) => ({ title, mode, page }),
  );
  for (const name of ["English", "Deutsch"]) {
    for (const mode of ["light", "dark"]) {
      const titles = frames.filter((frame) => frame.mode === mode).map(({ title }) => title);
      for (const [group, ...states] of STATES_OF_GROUPS) {
        for (const state of states) {
          assert.ok(titles.includes(`${group}, ${name}, ${state}`), state);
        }
      }
      assert.equal(titles.filter((title) => title.startsWith(`Letters, ${name}`)).length, 5);
    }
  }
  const anchors = Array.from(html.matchAll(/<a href="#(page-\d+)">/g), ([, id]) => id);
  assert.equal(anchors.length, frames.length / 2, "the contents lead to each page");
  for (const id of anchors) assert.ok(html.includes(`<h3 id="${id}">`), id);

  const [, json = ""] = /id="files">(.*?)<\/script>/s.exec(html) ?? [];
  const files: Record<string, Record<string, string>> = JSON.parse(json);
  for (const { title, mode, page } of frames) {
    assert.doesNotMatch(page, /&lt;script|prefers-color-scheme/, title);
    if (!title.includes("/embed/")) assert.match(page, /A &amp;amp; B/, title);
    assert.match(page, new RegExp(`color-scheme&quot; content=&quot;${mode}&quot;`), title);
    const addresses = Array.from(
      page.matchAll(/(?<=&quot;)\/assets\/.+?(?=&quot;)/g),
      ([it]) => it,
    );
    assert.ok(addresses.every((address) => files[mode]![address]?.startsWith("data:")), title);
    const isLetter = title.startsWith("Letters, ");
    const sheets = addresses.filter((address) => /\/(?:brand|console)\.css/.test(address));
    assert.equal(sheets.length, isLetter ? 0 : 1, title);
  }
  for (const [mode, all] of Object.entries(files)) {
    for (const [address, file] of Object.entries(all)) {
      if (!address.includes(".css")) continue;
      const text = atob(file.slice(file.indexOf(",") + 1));
      assert.doesNotMatch(text, /prefers-color-scheme|url\(["']?\/?assets/, address);
      if (/\/(?:site|guide)\.css/.test(address)) continue;
      const rule = /@media screen and \((max|min)-width: 0\) \{\s*:root \{[^}]*--accent: #7a1fa2/;
      assert.equal(rule.exec(text)?.[1], mode === "light" ? "min" : "max", address);
    }
  }
});

Deno.test("previewBrand() shows example values for a person's referral link and for the number of waiting people", async () => {
  await using own = await writeContent({
    "en/join.md": "---\npath: /join/\nlang: en\ntitle: Join\ndescription: Join.\n---\n\n" +
      "# Join\n\nMore than {{waiting_count}} people are waiting.\n",
  });
  const { html } = await previewBrand({
    CONTENT_PATH: own.path,
    MAIL_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "hello@example.com",
  });
  assert.match(html, /More than 4,300 people are waiting\./);
  assert.match(html, /https:\/\/waitlist\.test\/de\/\?r=Example1\d\d/);
  assert.match(html, /Nobody has joined through your link yet\./);
  assert.match(html, /5 people have joined through your link\./);
  assert.match(html, /The people with the most referrals/);
});

/** Some pages of each group, by their path or state. */
const STATES_OF_GROUPS: [group: string, ...states: string[]][] = [
  ["Pages", "person who is waiting", "question before leaving", "unknown path"],
  ["Letters", "invitation", "attention"],
  ["Console", "sign-in", "/operator/people/", "person", "plan", "wave", "secret"],
  ["Console", "question before cancelling", "question before deleting"],
];
