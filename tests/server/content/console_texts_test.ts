import assert from "node:assert/strict";
import { readConsoleTexts } from "../../../server/content/mod.ts";
import { copyContent } from "../../support/content.ts";

Deno.test("readConsoleTexts() fills placeholders, and formats numbers by the rules of the language", async () => {
  const { en, de } = await readConsoleTexts();
  const values = { count: 12_345, order: "x" };
  assert.equal(en.people.caption(values), "x; people on this page: 12,345");
  assert.equal(de.people.caption(values), "x; Personen auf dieser Seite: 12.345");
  assert.equal(de.pages.people, "Personen");
  // The operation's own sentence is English.
  assert.equal(en.failures.codes.conflict, null);
  assert.equal(de.failures.codes.conflict, "Das geht gerade nicht.");
  assert.equal(en.end("2027-01-01T00:00:00.000Z"), "the end of 31 Dec 2026");
  assert.equal(de.end("2027-01-01T00:00:00.000Z"), "Ende des 31.12.2026");
  assert.equal(en.end("2027-01-01T09:30:00.000Z"), "1 Jan 2027, 09:30");
  assert.equal(en.exactTime("2027-01-01T09:30:05.700Z"), "1 January 2027 at 09:30:05 UTC");
  assert.equal(de.exactTime("2027-01-01T09:30:05.700Z"), "1. Januar 2027 um 09:30:05 UTC");
});

Deno.test("readConsoleTexts() names the file and the key when a key of the console's texts is missing, wrong or unknown", async (t) => {
  const table: [lang: string, from: string | RegExp, to: string, message: string][] = [
    ["de", /^ {2}skip: .+\n/m, "", "layout.skip: is missing"],
    [
      "de",
      "  skip:",
      "  skipp:",
      "layout.skip: is missing; layout: there is no key 'skipp' (",
    ],
    ["en", "layout:\n", "more: x\n\nlayout:\n", "there is no key 'more'"],
    ["en", "layout:\n", "constructor: { x: y }\n\nlayout:\n", "there is no key 'constructor'"],
    ["en", /^ {2}skip: .+/m, "  skip: {}", "layout.skip: must be a text, not {}"],
    ["en", /^ {2}skip: .+/m, '  skip: ""', "layout.skip: must not be empty"],
    ["de", /^ {2}skip: .+/m, "  skip: ~", "layout.skip: must be a text, and is empty"],
    ["de", /^ {2}skip: .+/m, '  skip: "{count}"', "layout.skip: must have no placeholder"],
    ["de", "{order}; ", "", "people.caption: must have {order} and {count}"],
    ["de", "{order}; ", "{sort}; ", "people.caption: must have {order} and {count}"],
    ["en", /^[^]+$/, "layout: x", 'layout: must be a group of keys, not "x"; pages: is missing'],
  ];
  for (const [lang, from, to, message] of table) {
    await t.step(`the fault in content/${lang}/console.yaml is: ${message}`, async () => {
      await using copy = await copyContent();
      const file = new URL(`${lang}/console.yaml`, copy.folder);
      const yaml = await Deno.readTextFile(file);
      assert.notEqual(yaml.replace(from, to), yaml);
      await Deno.writeTextFile(file, yaml.replace(from, to));
      await assert.rejects(readConsoleTexts({ folder: copy.folder }), (error: Error) => {
        assert.ok(
          error.message.startsWith(`content/${lang}/console.yaml: ${message}`),
          error.message,
        );
        return true;
      });
    });
  }
});

Deno.test("readConsoleTexts() names the file of the console's texts when the file is missing", async () => {
  await using copy = await copyContent();
  await Deno.remove(new URL("de/console.yaml", copy.folder));
  const message = /^content\/de\/console\.yaml cannot be read as a file: /;
  await assert.rejects(readConsoleTexts({ folder: copy.folder }), { message });
});
