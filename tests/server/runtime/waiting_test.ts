import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createCommonEnd, createPriority, inTime } from "../../../server/runtime/waiting.ts";

const never = () => new Promise<never>(() => {});
const ONE_HOUR = 3_600_000;

// Deno 2.5 takes what is still to happen at the end of the turn for a leak.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

Deno.test("inTime() returns the result or the error of work that ends before the deadline", async () => {
  assert.equal(await inTime(ONE_HOUR, Promise.resolve("at once")), "at once");
  const later = new Promise((resolve) => setTimeout(resolve, 1, "later"));
  assert.equal(await inTime(ONE_HOUR, later), "later");
  await assert.rejects(inTime(ONE_HOUR, Promise.reject(new Error("broken"))), /^Error: broken$/);
});

Deno.test("inTime() rejects when the work takes longer than the deadline", async () => {
  await assert.rejects(inTime(1, never()), /It took longer than 1 ms/);
});

Deno.test("inTime() ignores that the work fails after the deadline", async () => {
  const work = Promise.withResolvers<never>();
  await assert.rejects(inTime(1, work.promise), /It took longer than 1 ms/);
  work.reject(new Error("broken"));
});

Deno.test("inTime() gives each work its own deadline when several works begin in the same turn of the event loop", async () => {
  const done = Promise.withResolvers<string>();
  const [first, second, third] = [
    inTime(ONE_HOUR, done.promise),
    inTime(1, never()),
    inTime(ONE_HOUR, Promise.resolve("at once")),
  ];
  assert.equal(await third, "at once");
  await assert.rejects(second, /It took longer than 1 ms/);
  done.resolve("much later");
  assert.equal(await first, "much later");
});

const MINUTE = 60_000;

Deno.test("createCommonEnd() makes the waits under way and all later ones reject with the reason of the end", async () => {
  const { waitFor, end } = createCommonEnd();
  assert.equal(await waitFor(Promise.resolve("in time")), "in time");
  await assert.rejects(waitFor(Promise.reject(new Error("broken"))), /^Error: broken$/);
  const waits = [waitFor(never()), waitFor(never())];
  end(new Error("over"));
  for (const wait of [...waits, waitFor(never())]) await assert.rejects(wait, /^Error: over$/);
});

Deno.test("createCommonEnd() keeps no result of a call in memory once the call has ended", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const { waitFor } = createCommonEnd();
  const result = new WeakRef(await waitFor(Promise.resolve({ entries: [] })));
  await endOfTurn();
  collectGarbage();
  assert.equal(result.deref(), undefined);
});

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
