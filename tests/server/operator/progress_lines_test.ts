import assert from "node:assert/strict";
import { progressLines } from "../../../server/operator/progress_lines.ts";
import type { Repeat } from "../../../server/runtime/mod.ts";

/** A timer that fires when the test wants it. */
function testTimer() {
  const timer = { fire: () => {}, isRunning: false };
  const repeat: Repeat = (_ms, work) => {
    timer.isRunning = true;
    timer.fire = () => void work();
    return { close: () => Promise.resolve(void (timer.isRunning = false)) };
  };
  return { timer, repeat };
}

const valueOf = async (lines: AsyncGenerator<unknown[]>) => (await lines.next()).value;

Deno.test("progressLines() sends a line at once and then by its timer, also during a step that takes long", async () => {
  const { timer, repeat } = testTimer();
  const longStep = Promise.withResolvers<void>();
  async function* count() {
    yield 20;
    await longStep.promise;
    yield 40;
    return "done";
  }
  const lines = progressLines({ work: count(), repeat }, (result) => ({ result }));
  assert.deepEqual(await valueOf(lines), [{ progress: 0 }]);
  for (let round = 0; round < 2; round++) {
    const next = valueOf(lines);
    // Lets the work reach its long step.
    await new Promise(setImmediate);
    timer.fire();
    assert.deepEqual(await next, [{ progress: 20 }]);
  }
  longStep.resolve();
  assert.deepEqual(await valueOf(lines), [{ result: "done" }]);
  assert.equal((await lines.next()).done, true);
  assert.equal(timer.isRunning, false);
});

Deno.test("progressLines() sends no line for a step while its timer does not fire", async () => {
  const { repeat } = testTimer();
  async function* count() {
    for (let step = 1; step <= 100; step++) yield await Promise.resolve(step);
    return 100;
  }
  const lines = progressLines({ work: count(), repeat }, (records) => ({ records }));
  assert.deepEqual(await Array.fromAsync(lines), [[{ progress: 0 }], [{ records: 100 }]]);
});

Deno.test("progressLines() takes no step while the client does not read, and then sends one line", async () => {
  const { timer, repeat } = testTimer();
  let steps = 0;
  async function* count() {
    for (; steps < 100; steps++) yield await Promise.resolve(steps);
  }
  const lines = progressLines({ work: count(), repeat }, () => "end");
  await lines.next();
  for (let round = 0; round < 3; round++) {
    timer.fire();
    await new Promise(setImmediate);
  }
  assert.equal(steps, 0);
  assert.deepEqual(await valueOf(lines), [{ progress: 0 }]);
  assert.deepEqual(await valueOf(lines), ["end"]);
});

Deno.test("progressLines() throws the error of the work", async () => {
  const { timer, repeat } = testTimer();
  async function* fail(): AsyncGenerator<number, void> {
    yield 1;
    await Promise.reject(new Error("KV is gone"));
  }
  const lines = progressLines({ work: fail(), repeat }, () => ({}));
  await lines.next();
  await assert.rejects(lines.next(), /KV is gone/);
  assert.equal(timer.isRunning, false);
});

Deno.test("progressLines() stops its timer when the client leaves, and a later error of the work has no effect", async () => {
  const { timer, repeat } = testTimer();
  const longStep = Promise.withResolvers<void>();
  async function* fail(): AsyncGenerator<number, void> {
    yield 1;
    await longStep.promise;
  }
  const lines = progressLines({ work: fail(), repeat }, () => ({}));
  await lines.next();
  const next = lines.next();
  await new Promise(setImmediate);
  timer.fire();
  await next;
  await lines.return(undefined as never);
  assert.equal(timer.isRunning, false);
  longStep.reject(new Error("KV is gone"));
  // An unhandled rejection would make this test fail here.
  await new Promise(setImmediate);
});
