/** What tests of recounts stand on: a small store, and scans of it that something happens in between of. @module */
import assert from "node:assert/strict";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { readCounts } from "../../server/store/people/statistics/counts.ts";
import { STATES } from "../../server/waitlist/record.ts";
import { recordId, recount, storedCounters, storedSignUps } from "./records.ts";
import { START } from "./service.ts";

/** Before {@linkcode START}, a date-time. */
export const EARLIER = "2026-11-20T08:00:00.000Z";

/** After {@linkcode START}, a date-time. */
export const LATER = new Date(START + 1).toISOString();

/** Runs a generator to its end. */
export async function finish<T>(work: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value as T;
  }
}

/** A store with ten sign-ups, `a0` to `a9`. */
export async function openStore(): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  const signUps = Array.from({ length: 10 }, (_, n) => ({
    signUp: { email: `a${n}@example.com`, lang: n < 4 ? "de" as const : "en" as const },
    at: EARLIER,
    id: recordId(),
  }));
  await storeSignUps(kv, signUps);
  return kv;
}

/** The same store; its scans read records one by one, and `meanwhile` runs once `count` were read. */
export function interrupted(
  kv: Deno.Kv,
  count: number,
  meanwhile: () => Promise<unknown>,
): Deno.Kv {
  async function* list(selector: Deno.KvListSelector) {
    let read = 0;
    const scans = "prefix" in selector && selector.prefix[0] === "sign_up";
    for await (const entry of kv.list(selector, scans ? { batchSize: 1 } : {})) {
      yield entry;
      if (scans && ++read === count) await meanwhile();
    }
  }
  return new Proxy(kv, {
    get(target, name) {
      const value = name === "list" ? list : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Moves counters without records, as a fault would. */
export async function spoil(kv: Deno.Kv, by: Record<string, bigint>): Promise<void> {
  const commit = kv.atomic();
  for (const [name, amount] of Object.entries(by)) {
    commit.sum(["statistics", ...name.split("/")], BigInt.asUintN(64, amount));
  }
  await commit.commit();
}

/** Asserts that the statistics, and the counters of the states, are what the records add up to. */
export async function assertCountersEqualRecount(kv: Deno.Kv): Promise<void> {
  assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  const states = Map.groupBy(Object.values(await storedSignUps(kv)), ({ state }) => state);
  for (const state of STATES) {
    const count = (await storedCounters(kv))[`byState/${state}`] ?? 0;
    assert.equal(count, states.get(state)?.length ?? 0, state);
  }
}
