import assert from "node:assert/strict";
import { readBatches } from "../../../server/operator/line_batches.ts";
import type { Line } from "../../../shared/lines.ts";

/** Groups of lines with these texts; notes in `read` those that were asked for. */
async function* linesOf(groups: string[][], read: string[] = []): AsyncGenerator<Line[]> {
  let number = 1;
  for (const texts of groups) {
    read.push(...texts);
    yield texts.map((text) => ({ number: number++, text }));
    await Promise.resolve();
  }
}

const textOf = (line: Line) => "text" in line && line.text !== "" ? line.text : undefined;

Deno.test("readBatches() yields full batches of lines and a shorter last batch, without blank lines", async () => {
  const groups = [["a", "", "b", "c"], [], ["", "d", "e"]];
  const batches = await Array.fromAsync(readBatches(linesOf(groups), 2, textOf));
  assert.deepEqual(batches, [["a", "b"], ["c", "d"], ["e"]]);
});

Deno.test("readBatches() reads only one batch ahead of the batch that the caller processes", async () => {
  const read: string[] = [];
  const batches = readBatches(linesOf([["a"], ["b"], ["c"], ["d"]], read), 1, textOf);
  assert.deepEqual((await batches.next()).value, ["a"]);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(read, ["a", "b"]);
  await batches.return(undefined);
});

Deno.test("readBatches() yields the batches before a failure of the stream, and then rejects", async () => {
  async function* cut(): AsyncGenerator<Line[]> {
    yield* linesOf([["a"], ["b"]]);
    throw new Error("The body was cut");
  }
  const stored: string[] = [];
  await assert.rejects(async () => {
    for await (const items of readBatches(cut(), 1, textOf)) stored.push(...items);
  }, /The body was cut/);
  assert.deepEqual(stored, ["a", "b"]);
});
