import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createPriority } from "../../../server/runtime/priority.ts";

const MINUTE = 60_000;

// Deno 2.5 takes what is still to happen at the end of the turn for a leak.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

Deno.test("yieldToCalls() waits until every answer that was passed to prioritize() has succeeded or failed", async () => {
  const { prioritize, yieldToCalls } = createPriority(MINUTE);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answer = prioritize(first.promise);
  const refused = assert.rejects(Promise.resolve(prioritize(second.promise)), /second/);
  let waits = true;
  const waiting = yieldToCalls().then(() => waits = false);
  for (let turn = 0; turn < 5; turn++) await endOfTurn();
  first.resolve("first");
  assert.equal(await answer, "first");
  for (let turn = 0; turn < 5; turn++) await endOfTurn();
  assert.ok(waits);
  second.reject(new Error("second"));
  await refused;
  await waiting;
});

Deno.test("yieldToCalls() waits for a further turn of the event loop after an answer, in which Deno writes the answer to the socket", async () => {
  const { prioritize, yieldToCalls } = createPriority(MINUTE);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = prioritize(promise);
  let waits = true;
  const waiting = yieldToCalls().then(() => waits = false);
  await endOfTurn();
  resolve("answer");
  await answer;
  await endOfTurn();
  assert.ok(waits);
  await waiting;
});

Deno.test("yieldToCalls() stops waiting for an answer that takes longer than the given time", async () => {
  const { prioritize, yieldToCalls } = createPriority(1);
  prioritize(new Promise(() => {}));
  await yieldToCalls();
});

Deno.test("yieldToCalls() lets pending events of the event loop run when no prioritized answer is under way", async () => {
  const { prioritize, yieldToCalls } = createPriority(MINUTE);
  let isDone = false;
  const arrived = endOfTurn().then(() => isDone = true);
  assert.equal(prioritize("at once"), "at once");
  await yieldToCalls();
  assert.ok(isDone);
  await arrived;
});
