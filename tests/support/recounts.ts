/** What tests of recounts stand on: a small store, and scans of it that something happens in between of. @module */
import { countersOf } from "../../shared/counters.ts";
import assert from "node:assert/strict";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { checkReferrals } from "../../server/store/people/referral_check.ts";
import type { StoredReferrer } from "../../server/store/people/referral_changes.ts";
import { type SignUpRecord, STATES } from "../../server/waitlist/record.ts";
import { readCounts, recordId, recount, storedCounters, storedSignUps } from "./records.ts";
import { START } from "./service.ts";
import type {
  Entry,
  Kv,
  ListOptions,
  Selector,
  UnreadableEntry,
} from "../../server/store/kv/engine.ts";
import { Commit } from "../../server/store/kv/engine.ts";
import { listAll, openMemoryKv, type TestKv } from "./memory_kv.ts";

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
export async function openStore(): Promise<TestKv> {
  const kv = await openMemoryKv();
  const signUps = Array.from({ length: 10 }, (_, n) => ({
    signUp: { email: `a${n}@example.com`, lang: n < 4 ? "de" as const : "en" as const },
    at: EARLIER,
    id: recordId(),
  }));
  await storeSignUps(kv, signUps);
  return kv;
}

/** The same store; its scans read records one by one, and `meanwhile` runs once `count` were read. */
export function interrupted(kv: Kv, count: number, meanwhile: () => Promise<unknown>): Kv {
  return {
    ...kv,
    async list<T>(selector: Selector, { limit, ...options }: ListOptions) {
      if (selector.prefix[0] !== "sign_up") {
        return await kv.list<T>(selector, { limit, ...options });
      }
      const page: (Entry<T> | UnreadableEntry)[] = [];
      for (let rest = selector; page.length < limit;) {
        const [entry] = await kv.list<T>(rest, { ...options, limit: 1 });
        if (!entry) break;
        page.push(entry);
        rest = { prefix: selector.prefix, after: entry.key };
        if (page.length === count) await meanwhile();
      }
      return page;
    },
  };
}

/** Moves counters without records, as a fault would. */
export async function spoil(kv: Kv, by: Record<string, number>): Promise<void> {
  const commit = new Commit();
  for (const [name, amount] of Object.entries(by)) {
    commit.add(["statistics", ...name.split("/")], amount);
  }
  await kv.commit(commit);
}

/** Asserts that the statistics, and the counters of the states, are what the records add up to. */
export async function assertCountersEqualRecount(kv: Kv): Promise<void> {
  assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  const states = Map.groupBy(Object.values(await storedSignUps(kv)), ({ state }) => state);
  for (const state of STATES) {
    const count = (await storedCounters(kv))[`byState/${state}`] ?? 0;
    assert.equal(count, states.get(state)?.length ?? 0, state);
  }
  // Those of growth are in no statistics.
  const expected: Record<string, number> = {};
  for (const record of Object.values(await storedSignUps(kv))) {
    for (const counter of countersOf({ ...record })) {
      const name = counter.join("/");
      expected[name] = (expected[name] ?? 0) + 1;
    }
  }
  const stored = Object.entries(await storedCounters(kv)).filter(([, count]) => count !== 0);
  assert.deepEqual(Object.fromEntries(stored), expected);
}

/**
 * Asserts that the number of referrals of each person, and the order of these numbers, are what the records add up to,
 * and that the check of the numbers finds nothing.
 */
export async function assertReferralsEqualRecount(kv: Kv): Promise<void> {
  const records = (await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] }))
    .map(({ value }) => value);
  const ids = new Set(records.map(({ id }) => id));
  const expected: Record<string, number> = {};
  for (const { referralCounts, referrerId } of records) {
    if (!referralCounts || !ids.has(referrerId!)) continue;
    expected[referrerId!] = (expected[referrerId!] ?? 0) + 1;
  }
  const stored = await listAll<StoredReferrer>(kv, { prefix: ["referrer"] });
  const counted = stored.filter(({ value }) => value.referrals > 0)
    .map(({ key, value }) => [String(key[1]), value.referrals]);
  assert.deepEqual(Object.fromEntries(counted), expected);
  const ordered = await listAll(kv, { prefix: ["by_referrals"] });
  const inOrder = ordered.map(({ key: [, referrals, id] }) => [String(id), referrals]);
  assert.deepEqual(Object.fromEntries(inOrder), expected);
  assert.equal(inOrder.length, Object.keys(expected).length);
  assert.deepEqual(await finish(checkReferrals(kv, { repairs: false, progress: 0 })), []);
}
