import assert from "node:assert/strict";
import { readBatches } from "../../../server/operator/line_batches.ts";
import type { Line } from "../../../shared/lines.ts";

/** Groups of lines with these texts; notes in `asked` the texts that were asked for. */
async function* linesOf(groups: string[][], asked: string[] = []): AsyncGenerator<Line[]> {
  let number = 1;
  for (const texts of groups) {
    asked.push(...texts);
    yield texts.map((text) => ({ number: number++, text }));
    await Promise.resolve();
  }
}

const toItem = (line: Line) => "text" in line && line.text !== "" ? line.text : undefined;

const yieldToCalls = () => Promise.resolve();

Deno.test("readBatches() yields full batches of lines and a shorter last batch, without blank lines", async () => {
  const groups = [["a", "", "b", "c"], [], ["", "d", "e"]];
  const batches = await Array.fromAsync(
    readBatches(linesOf(groups), { toItem, yieldToCalls, maxItems: 2 }),
  );
  assert.deepEqual(batches, [["a", "b"], ["c", "d"], ["e"]]);
});

Deno.test("readBatches() reads only one batch ahead of the batch that the caller processes", async () => {
  const asked: string[] = [];
  const lines = linesOf([["a"], ["b"], ["c"], ["d"]], asked);
  const batches = readBatches(lines, { toItem, yieldToCalls, maxItems: 1 });
  assert.deepEqual((await batches.next()).value, ["a"]);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(asked, ["a", "b"]);
  await batches.return(undefined);
});

Deno.test("readBatches() yields the batches before a failure of the stream, and then rejects", async () => {
  async function* cut(): AsyncGenerator<Line[]> {
    yield* linesOf([["a"], ["b"]]);
    throw new Error("The body was cut");
  }
  const stored: string[] = [];
  await assert.rejects(async () => {
    const batches = readBatches(cut(), { toItem, yieldToCalls, maxItems: 1 });
    for await (const items of batches) stored.push(...items);
  }, /The body was cut/);
  assert.deepEqual(stored, ["a", "b"]);
});

Deno.test("readBatches() lets API calls go first after every 100 lines", async () => {
  const texts = Array.from({ length: 250 }, (_, n) => String(n));
  const readBefore: number[] = [];
  let count = 0;
  const batches = readBatches(linesOf([texts]), {
    toItem: () => ++count,
    yieldToCalls: () => {
      readBefore.push(count);
      return Promise.resolve();
    },
  });
  assert.deepEqual((await Array.fromAsync(batches)).map(({ length }) => length), [250]);
  assert.deepEqual(readBefore, [99, 199]);
});
