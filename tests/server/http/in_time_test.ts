import assert from "node:assert/strict";
import { inTime } from "../../../server/http/in_time.ts";

const never = () => new Promise<never>(() => {});
const ONE_HOUR = 3_600_000;

Deno.test("inTime() gives what the work gives when that is there in time", async () => {
  assert.equal(await inTime(ONE_HOUR, Promise.resolve("at once")), "at once");
  const later = new Promise((resolve) => setTimeout(resolve, 1, "later"));
  assert.equal(await inTime(ONE_HOUR, later), "later");
  await assert.rejects(inTime(ONE_HOUR, Promise.reject(new Error("broken"))), /^Error: broken$/);
});

Deno.test("inTime() rejects when the work takes longer", async () => {
  await assert.rejects(inTime(1, never()), /It took longer than 1 ms/);
});

Deno.test("inTime() holds each to its own time when several begin in one turn", async () => {
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
