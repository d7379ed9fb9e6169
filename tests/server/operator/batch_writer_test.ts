import assert from "node:assert/strict";
import { createBatchWriter } from "../../../server/operator/batch_writer.ts";

Deno.test("createBatchWriter() gathers the next window while one is stored, and stores them in turn", async () => {
  const begun: number[][] = [];
  const stored = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using writer = createBatchWriter<number>(2, (items) => {
    begun.push(items);
    return stored[begun.length - 1]!.promise;
  });
  for (const item of [1, 2, 3]) await writer.add(item);
  const full = writer.add(4);
  assert.deepEqual(begun, [[1, 2]]);
  stored[0]!.resolve();
  await full;
  assert.deepEqual(begun, [[1, 2], [3, 4]]);
  stored[1]!.resolve();
});

Deno.test("createBatchWriter() stores the rest and waits for all that is being stored", async () => {
  const stored: number[] = [];
  await using writer = createBatchWriter<number>(2, async (items) => {
    await new Promise((done) => setImmediate(done));
    stored.push(...items);
  });
  for (const item of [1, 2, 3]) await writer.add(item);
  await writer.flush();
  assert.deepEqual(stored, [1, 2, 3]);
});

Deno.test("createBatchWriter() rejects when the batch before could not be stored", async () => {
  await using writer = createBatchWriter<number>(
    1,
    () => Promise.reject(new Error("The disk is full")),
  );
  await writer.add(1);
  await assert.rejects(async () => await writer.add(2), /The disk is full/);
});

Deno.test("createBatchWriter() keeps full batches, and drops the rest, when it is disposed of before the end", async () => {
  const stored: number[] = [];
  {
    await using writer = createBatchWriter<number>(2, async (items) => {
      await new Promise((done) => setImmediate(done));
      stored.push(...items);
    });
    for (const item of [1, 2, 3]) await writer.add(item);
  }
  assert.deepEqual(stored, [1, 2]);
});
