import assert from "node:assert/strict";
import { Batcher, type BatcherOptions } from "../../../../server/store/kv/batcher.ts";

/** A batcher whose runs the test ends by hand. */
function createTestBatcher(options: Partial<BatcherOptions<number, string>> = {}) {
  const runs: { items: number[]; signal: AbortSignal; end: PromiseWithResolvers<string> }[] = [];
  const clock = { now: 0 };
  const batcher = new Batcher<number, string>({
    run(items, signal) {
      const end = Promise.withResolvers<string>();
      runs.push({ items, signal, end });
      return end.promise;
    },
    maxBatch: 3,
    maxWaiting: 5,
    maxRunning: 1,
    deadlineMs: 60_000,
    monotonic: () => clock.now,
    ...options,
  });
  /** The n-th run, as soon as it has begun. */
  async function run(n: number) {
    while (runs.length <= n) await new Promise((resolve) => setTimeout(resolve));
    return runs[n] as typeof runs[number];
  }
  return { batcher, runs, run, clock };
}

Deno.test("Batcher.add() runs an item without delay when no batch is running", async () => {
  const { batcher, run } = createTestBatcher();
  const result = batcher.add(1);
  assert.deepEqual((await run(0)).items, [1]);
  (await run(0)).end.resolve("done");
  assert.equal(await result, "done");
});

Deno.test("Batcher.add() gathers the items that arrive during a run into the next batches of up to maxBatch items", async () => {
  const { batcher, runs, run } = createTestBatcher();
  const first = batcher.add(1);
  const { end } = await run(0);
  const results = [2, 3, 4, 5].map((item) => batcher.add(item));
  assert.equal(runs.length, 1, "one run at a time");
  end.resolve("first");
  assert.equal(await first, "first");
  assert.deepEqual((await run(1)).items, [2, 3, 4], "at most maxBatch");
  (await run(1)).end.resolve("second");
  assert.deepEqual(await Promise.all(results.slice(0, 3)), ["second", "second", "second"]);
  assert.deepEqual((await run(2)).items, [5]);
  (await run(2)).end.resolve("third");
  assert.equal(await results[3], "third");
});

Deno.test("Batcher.add() runs up to maxRunning batches at the same time", async () => {
  const { batcher, runs, run } = createTestBatcher({ maxBatch: 1, maxRunning: 2 });
  const results = [1, 2, 3].map((item) => batcher.add(item));
  await run(1);
  assert.deepEqual(runs.map(({ items }) => items), [[1], [2]]);
  (await run(1)).end.resolve("two");
  assert.equal(await results[1], "two");
  assert.deepEqual((await run(2)).items, [3]);
  (await run(0)).end.resolve("one");
  (await run(2)).end.resolve("three");
  await Promise.all(results);
});

Deno.test("Batcher.add() returns undefined and takes no item when maxWaiting items wait", async () => {
  const { batcher, run } = createTestBatcher({ maxWaiting: 2 });
  const results = [1, 2].map((item) => batcher.add(item));
  assert.equal(batcher.add(3), undefined);
  (await run(0)).end.resolve("");
  await Promise.all(results);
});

Deno.test("Batcher.add() rejects all items of a batch whose run fails, and no other items", async () => {
  const { batcher, run } = createTestBatcher();
  const first = batcher.add(1);
  await run(0);
  const [second, third] = [2, 3].map((item) => batcher.add(item));
  (await run(0)).end.resolve("fine");
  assert.equal(await first, "fine");
  (await run(1)).end.reject(new Error("Broken"));
  await assert.rejects(second as Promise<string>, /Broken/);
  await assert.rejects(third as Promise<string>, /Broken/);
  const fourth = batcher.add(4);
  (await run(2)).end.resolve("fine again");
  assert.equal(await fourth, "fine again");
});

Deno.test("Batcher.add() gives up a stuck run at its deadline, and runs the next items", async () => {
  const { batcher, run, clock } = createTestBatcher({ deadlineMs: 1 });
  const stuck = batcher.add(1) as Promise<string>;
  await run(0);
  const next = batcher.add(2);
  await assert.rejects(stuck, /did not answer in time/);
  assert.equal((await run(0)).signal.aborted, true, "the run is told");
  assert.deepEqual((await run(1)).items, [2]);
  (await run(1)).end.resolve("fine");
  assert.equal(await next, "fine");
  clock.now++;
  (await run(0)).end.resolve("late");
});

Deno.test("Batcher.add() rejects an item without running it when the item has waited for longer than the deadline", async () => {
  const { batcher, runs, run, clock } = createTestBatcher({ deadlineMs: 60_000 });
  const first = batcher.add(1);
  await run(0);
  const waiting = batcher.add(2) as Promise<string>;
  clock.now += 60_000;
  (await run(0)).end.resolve("");
  await first;
  await assert.rejects(waiting, /had no time/);
  assert.equal(runs.length, 1, "it costs no run");
});

Deno.test("Batcher.add() starts a full batch at once, and lets a smaller batch gather for gatherMs", async () => {
  const options = { maxBatch: 2, maxRunning: 3, gatherMs: 60_000 };
  const { batcher, runs } = createTestBatcher(options);
  const results = [1, 2, 3].map((item) => batcher.add(item));
  assert.deepEqual(runs.map(({ items }) => items), [[1, 2]]);
  runs[0]?.end.resolve("full");
  assert.equal(await results[0], "full");
  const flushed = batcher.flush();
  runs[1]?.end.resolve("rest");
  await flushed;
  assert.equal(await results[2], "rest");
});

Deno.test("Batcher.add() gathers items for busyGatherMs while another batch runs", async () => {
  const options = { maxBatch: 2, maxRunning: 3, busyGatherMs: 60_000 };
  const { batcher, runs, run } = createTestBatcher(options);
  const first = batcher.add(1);
  await run(0);
  const second = batcher.add(2);
  // Nothing starts in the turns that end here.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(runs.length, 1);
  const third = batcher.add(3);
  assert.deepEqual(runs.map(({ items }) => items), [[1], [2, 3]]);
  for (const { end } of runs) end.resolve("done");
  assert.deepEqual(await Promise.all([first, second, third]), ["done", "done", "done"]);
});

Deno.test("Batcher.add() with the option 'waitsForEqualBatch' starts no smaller batch while a larger batch runs", async () => {
  const { batcher, runs, run } = createTestBatcher({
    maxBatch: 4,
    maxRunning: 2,
    waitsForEqualBatch: true,
  });
  const large = [1, 2, 3, 4].map((item) => batcher.add(item));
  await run(0);
  const small = batcher.add(5);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(runs.length, 1);
  const others = [6, 7, 8].map((item) => batcher.add(item));
  assert.deepEqual((await run(1)).items, [5, 6, 7, 8]);
  // A small batch goes once nothing else runs.
  const last = batcher.add(9);
  for (const { end } of runs) end.resolve("done");
  (await run(2)).end.resolve("last");
  await Promise.all([...large, small, ...others]);
  assert.equal(await last, "last");
});

Deno.test("Batcher.flush() runs the gathered items before gatherMs has passed", async () => {
  const { batcher, runs, run } = createTestBatcher({ gatherMs: 60_000 });
  const results = [1, 2].map((item) => batcher.add(item));
  assert.equal(runs.length, 0);
  const flushed = batcher.flush();
  assert.deepEqual((await run(0)).items, [1, 2]);
  const third = batcher.add(3);
  (await run(0)).end.resolve("a");
  assert.deepEqual(await Promise.all(results), ["a", "a"]);
  assert.deepEqual((await run(1)).items, [3]);
  (await run(1)).end.resolve("b");
  await flushed;
  assert.equal(await third, "b");
});

Deno.test("Batcher.add() runs a batch after gatherMs even if the batch is not full", async () => {
  const { batcher, runs, run } = createTestBatcher({ gatherMs: 1 });
  const result = batcher.add(1);
  assert.equal(runs.length, 0);
  (await run(0)).end.resolve("done");
  assert.equal(await result, "done");
});
