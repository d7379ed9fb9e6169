import assert from "node:assert/strict";
import { Windows } from "../../../server/operator/windows.ts";

Deno.test("Windows.add() gathers the next window while one is stored, and stores them in turn", async () => {
  const begun: number[][] = [];
  const stored = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using windows = new Windows<number>(2, (items) => {
    begun.push(items);
    return stored[begun.length - 1]!.promise;
  });
  for (const item of [1, 2, 3]) await windows.add(item);
  const full = windows.add(4);
  assert.deepEqual(begun, [[1, 2]]);
  stored[0]!.resolve();
  await full;
  assert.deepEqual(begun, [[1, 2], [3, 4]]);
  stored[1]!.resolve();
});

Deno.test("Windows.flush() stores the rest and waits for all that is being stored", async () => {
  const stored: number[] = [];
  await using windows = new Windows<number>(2, async (items) => {
    await new Promise((done) => setImmediate(done));
    stored.push(...items);
  });
  for (const item of [1, 2, 3]) await windows.add(item);
  await windows.flush();
  assert.deepEqual(stored, [1, 2, 3]);
});

Deno.test("Windows tells of a window that could not be stored when the next one is", async () => {
  await using windows = new Windows<number>(1, () => Promise.reject(new Error("The disk is full")));
  await windows.add(1);
  await assert.rejects(async () => await windows.add(2), /The disk is full/);
});

Deno.test("Windows keeps full windows, and drops the rest, when it is disposed of before the end", async () => {
  const stored: number[] = [];
  {
    await using windows = new Windows<number>(2, async (items) => {
      await new Promise((done) => setImmediate(done));
      stored.push(...items);
    });
    for (const item of [1, 2, 3]) await windows.add(item);
  }
  assert.deepEqual(stored, [1, 2]);
});
