import assert from "node:assert/strict";
import { readAll, readOne } from "../../../../server/store/kv/calls.ts";
import { Commit, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { guardKv } from "../../../../server/store/kv/guard.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";

type Call = [operation: string, ms: number, fault?: string];

/** A KV each of whose answers takes a millisecond of the clock, and the calls that were reported. */
async function openTimedKv(work: () => void = () => {}) {
  const memory = await openMemoryKv();
  let moment = 0;
  async function take<T>(call: () => Promise<T>): Promise<T> {
    moment++;
    work();
    return await call();
  }
  const calls: Call[] = [];
  const onCall = (...call: Call) => calls.push(call);
  const state = { hasSchema: true, hasFailedCommit: false };
  // The engine waits for as long as ever, so that a busy machine fails no call.
  const faulty = { ...faultyKv(memory, take, take), deadlineMs: 7 };
  const kv = guardKv(faulty, state, { onCall, monotonic: () => moment });
  return { kv, memory, calls, [Symbol.dispose]: () => memory.close() };
}

Deno.test("guardKv() reports each call with its duration, and returns the results of KV", async () => {
  using opened = await openTimedKv();
  const { kv, memory, calls } = opened;
  const commit = await kv.commit(new Commit().set(["a", 1], "one").set(["a", 2], "two"));
  assert.notEqual(commit, "conflict");
  assert.equal((await readOne(kv, ["a", 1])).value, "one");
  const entries = await readAll(kv, [["a", 2], ["a", 3]]);
  assert.deepEqual(entries.map(({ value }) => value), ["two", null]);
  await kv.commit(new Commit().set(["b"], true));
  assert.equal((await readOne(memory, ["b"])).value, true);
  assert.equal(kv.deadlineMs, 7);
  assert.deepEqual(calls, [["commit", 1], ["get", 1], ["get", 1], ["commit", 1]]);
});

Deno.test("guardKv() reports the reading of a page of a list as one call", async () => {
  using opened = await openTimedKv();
  const { kv, calls } = opened;
  for (const part of [1, 2, 3]) await kv.commit(new Commit().set(["a", part], part));
  calls.length = 0;
  const values = (await listAll(kv, { prefix: ["a"] })).map(({ value }) => value);
  assert.deepEqual(values, [1, 2, 3]);
  assert.deepEqual(calls, [["list", 4]]);
});

Deno.test("guardKv() reports the name of the error when a call fails", async () => {
  using opened = await openTimedKv(() => {
    throw new TypeError("KV is away");
  });
  const { kv, calls } = opened;
  await assert.rejects(readOne(kv, ["a"]), TypeError);
  await assert.rejects(kv.commit(new Commit().set(["a"], 1)), UnknownOutcome);
  await assert.rejects(listAll(kv, { prefix: ["a"] }), TypeError);
  const faults = calls.map(([operation, , fault]) => [operation, fault]);
  assert.deepEqual(faults, [["get", "TypeError"], ["commit", "UnknownOutcome"], [
    "list",
    "TypeError",
  ]]);
});
