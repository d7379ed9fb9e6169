import assert from "node:assert/strict";
import fc from "fast-check";
import { type Line, MAX_LINE_BYTES, readLines } from "../../shared/lines.ts";

/** The lines of bytes that arrive in pieces of a length, or all at once. */
async function linesOf(
  bytes: Uint8Array | string,
  { piece = Infinity, maxBytes }: { piece?: number; maxBytes?: number } = {},
): Promise<Line[]> {
  const all = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  async function* pieces() {
    for (let from = 0; from < all.length; from += piece) yield all.slice(from, from + piece);
  }
  return (await Array.fromAsync(readLines(pieces(), maxBytes))).flat();
}

const text = (number: number, text: string) => ({ number, text });

Deno.test("MAX_LINE_BYTES is 64 KB", () => assert.equal(MAX_LINE_BYTES, 65_536));

Deno.test("readLines() splits at LF and CRLF and numbers the lines from 1", async (t) => {
  const cases: [stream: string, lines: Line[]][] = [
    ["", []],
    ["a", [text(1, "a")]],
    ["a\n", [text(1, "a")]],
    ["a\n\nb", [text(1, "a"), text(2, ""), text(3, "b")]],
    ["a\r\nb\r\n", [text(1, "a"), text(2, "b")]],
    ["\ufeffa\n\ufeffb", [text(1, "a"), text(2, "\ufeffb")]],
    ["é\n😀\n", [text(1, "é"), text(2, "😀")]],
  ];
  for (const [stream, lines] of cases) {
    for (const piece of [1, 2, 3, Infinity]) {
      await t.step(JSON.stringify({ stream, piece }), async () => {
        assert.deepEqual(await linesOf(stream, { piece }), lines);
      });
    }
  }
});

Deno.test("readLines() reports a line that is not UTF-8, and reads the lines after it", async (t) => {
  const bytes = new Uint8Array([0x61, 0x0a, 0xe9, 0x0a, 0x62, 0x0a, 0xff]);
  for (const piece of [1, 2, Infinity]) {
    await t.step(`in pieces of ${piece}`, async () => {
      assert.deepEqual(await linesOf(bytes, { piece }), [
        text(1, "a"),
        { number: 2, fault: "not_utf8" },
        text(3, "b"),
        { number: 4, fault: "not_utf8" },
      ]);
    });
  }
});

Deno.test("readLines() reports each line that is longer than the limit, and reads the lines after it", async (t) => {
  for (const piece of [1, 3, 7, Infinity]) {
    await t.step(`in pieces of ${piece}`, async () => {
      const options = { piece, maxBytes: 4 };
      assert.deepEqual(await linesOf("éé\r\nééa\nb\n123456789012\nc\n1234567890", options), [
        text(1, "éé"),
        { number: 2, fault: "too_long" },
        text(3, "b"),
        { number: 4, fault: "too_long" },
        text(5, "c"),
        { number: 6, fault: "too_long" },
      ]);
    });
  }
});

Deno.test("readLines() reads the same lines from a stream, whatever the sizes of the stream's chunks are", async () => {
  const character = fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\ufeff", "x".repeat(9));
  await fc.assert(fc.asyncProperty(
    fc.array(character, { maxLength: 20 }),
    fc.integer({ min: 1, max: 8 }),
    async (characters, piece) => {
      const stream = characters.join("");
      const options = { piece, maxBytes: 12 };
      assert.deepEqual(await linesOf(stream, options), await linesOf(stream, { maxBytes: 12 }));
    },
  ));
});
