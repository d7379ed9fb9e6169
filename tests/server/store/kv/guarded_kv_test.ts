import assert from "node:assert/strict";
import { guardKv } from "../../../../server/store/kv/guarded_kv.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";

type Call = [operation: string, ms: number, fault?: string];

/** A KV each of whose answers takes a millisecond of the clock, and the calls that were reported. */
async function openTimedKv(work: () => void = () => {}) {
  const memory = await Deno.openKv(":memory:");
  let moment = 0;
  async function take<T>(call: () => Promise<T>): Promise<T> {
    moment++;
    work();
    return await call();
  }
  const calls: Call[] = [];
  const onCall = (...call: Call) => calls.push(call);
  const state = { hasSchema: true, failedCommit: false };
  const kv = guardKv(faultyKv(memory, take, take, 7), state, { onCall, monotonic: () => moment });
  return { kv, memory, calls, [Symbol.dispose]: () => memory.close() };
}

Deno.test("guardKv() reports each call of a KV, which works as before", async () => {
  using opened = await openTimedKv();
  const { kv, memory, calls } = opened;
  const commit = await kv.atomic().set(["a", 1], "one").set(["a", 2], "two").commit();
  assert.equal(commit.ok, true);
  assert.equal((await kv.get(["a", 1])).value, "one");
  const entries = await kv.getMany([["a", 2], ["a", 3]]);
  assert.deepEqual(entries.map(({ value }) => value), ["two", null]);
  await kv.set(["b"], true);
  assert.equal((await memory.get(["b"])).value, true);
  assert.equal(kv.deadlineMs, 7);
  assert.deepEqual(calls, [["commit", 1], ["get", 1], ["getMany", 1], ["set", 0]]);
});

Deno.test("guardKv() reports a list once, with the time that its reader waited", async () => {
  using opened = await openTimedKv();
  const { kv, calls } = opened;
  for (const part of [1, 2, 3]) await kv.set(["a", part], part);
  calls.length = 0;
  const values = (await Array.fromAsync(kv.list({ prefix: ["a"] }))).map(({ value }) => value);
  assert.deepEqual(values, [1, 2, 3]);
  assert.deepEqual(calls, [["list", 4, undefined]]);
  for await (const { value } of kv.list({ prefix: ["a"] })) if (value === 2) break;
  assert.deepEqual(calls.slice(1), [["list", 2, undefined]], "a reader that stops before the end");
});

Deno.test("guardKv() names the error of a call that fails", async () => {
  using opened = await openTimedKv(() => {
    throw new TypeError("KV is away");
  });
  const { kv, calls } = opened;
  await assert.rejects(kv.get(["a"]), TypeError);
  await assert.rejects(kv.atomic().set(["a"], 1).commit(), TypeError);
  await assert.rejects(Array.fromAsync(kv.list({ prefix: ["a"] })), TypeError);
  assert.deepEqual(calls, [["get", 1, "TypeError"], ["commit", 1, "TypeError"], [
    "list",
    1,
    "TypeError",
  ]]);
});
