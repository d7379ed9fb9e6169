import assert from "node:assert/strict";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createPriority } from "../../../server/runtime/priority.ts";

const MINUTE = 60_000;

Deno.test("yieldToCalls() waits until all prioritized answers have settled, even with an error", async () => {
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

Deno.test("yieldToCalls() goes on when an answer takes longer than it may wait", async () => {
  const { prioritize, yieldToCalls } = createPriority(1);
  prioritize(new Promise(() => {}));
  await yieldToCalls();
});

Deno.test("yieldToCalls() lets what has arrived be done when no answer is under way", async () => {
  const { prioritize, yieldToCalls } = createPriority(MINUTE);
  let isDone = false;
  const arrived = endOfTurn().then(() => isDone = true);
  assert.equal(prioritize("at once"), "at once");
  await yieldToCalls();
  assert.ok(isDone);
  await arrived;
});
