import assert from "node:assert/strict";
import fc from "fast-check";
import { joinLines } from "../../../shared/import_file/joined_lines.ts";
import type { Line } from "../../../shared/lines.ts";

/** Joins lines of two cells that come in groups of some sizes. */
async function join(texts: string[], size: number): Promise<Line[]> {
  const lines = texts.map((text, at): Line => ({ number: at + 1, text }));
  const groups: Line[][] = [];
  while (lines.length > 0) groups.push(lines.splice(0, size));
  const isRow = (text: string) =>
    /^(?:"(?:[^"]|"")*"|[^",\n]*),(?:"(?:[^"]|"")*"|[^",\n]*)$/.test(text);
  return (await Array.fromAsync(joinLines(groups, isRow))).flat();
}

Deno.test("joinLines() joins the lines of a CSV row and loses no line when the lines come in batches of any size", async () => {
  const line = fc.constantFrom("a,b", 'a,"b', "c", 'd"', '"', "", 'e"",f', '"g,h', 'i","j');
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (texts, size) => {
      const joined = await join(texts, size);
      assert.deepEqual(joined, await join(texts, texts.length + 1));
      const all = joined.map((each) => "text" in each ? each.text : "").join("\n");
      assert.equal(all, texts.join("\n"));
      assert.equal(
        joined.filter((each) => "text" in each && each.text === "a,b").length,
        texts.filter((text) => text === "a,b").length,
        "a row by itself stays one",
      );
    }),
  );
});

Deno.test("joinLines() joins lines into one row only if the row has at most 64 KB", async () => {
  const texts = ['a,"b', ...Array.from({ length: 100 }, () => "c".repeat(1_000)), 'd"'];
  assert.equal((await join(texts, 7)).length, texts.length);
  assert.equal((await join(texts.toSpliced(1, 50), 7)).length, 1);
});
