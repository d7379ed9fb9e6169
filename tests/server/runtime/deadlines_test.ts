import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { inTime } from "../../../server/runtime/deadlines.ts";

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
