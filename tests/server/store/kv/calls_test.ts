import assert from "node:assert/strict";
import { retry, withKvDeadline } from "../../../../server/store/kv/calls.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";

/** The same KV, which the store waits for 5 milliseconds. */
const impatient = (kv: Deno.Kv) => faultyKv(kv, (commit) => commit(), undefined, 5);

const never = () => new Promise<never>(() => {});

Deno.test("withKvDeadline() rejects and aborts the signal when KV takes longer than its deadline", async () => {
  using memory = await Deno.openKv(":memory:");
  const kv = impatient(memory);
  let signal: AbortSignal | undefined;
  const late = withKvDeadline(kv, (given) => {
    signal = given;
    return never();
  });
  await assert.rejects(late, /^Error: KV did not answer in time$/);
  assert.equal(signal?.aborted, true);
});

Deno.test("retry() tries again when a try fails or is late", async () => {
  using memory = await Deno.openKv(":memory:");
  const kv = impatient(memory);
  let tries = 0;
  const outcome = await retry(kv, () => {
    tries++;
    if (tries === 1) return never();
    if (tries === 2) throw new Error("The connection was reset");
    return Promise.resolve("done");
  });
  assert.deepEqual({ outcome, tries }, { outcome: "done", tries: 3 });
});

Deno.test("retry() gives up when two tries are late or five fail", async () => {
  using memory = await Deno.openKv(":memory:");
  const kv = impatient(memory);
  let tries = 0;
  const counted = (attempt: () => Promise<never>) => () => {
    tries++;
    return attempt();
  };
  await assert.rejects(retry(kv, counted(never)), /KV did not answer in time/);
  assert.equal(tries, 2);
  tries = 0;
  const failing = () => Promise.reject(new Error("The disk is full"));
  await assert.rejects(retry(kv, counted(failing)), /The disk is full/);
  assert.equal(tries, 5);
});
