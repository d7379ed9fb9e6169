/**
 * Puts sign-ups into KV for tests, and reads sign-ups and counters without the code under test.
 * @module
 */
import assert from "node:assert/strict";
import { changeRecords } from "../../server/store/people/change_records.ts";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { createCountsReader } from "../../server/store/people/statistics.ts";
import { createRecordIds, type SignUpRecord } from "../../server/waitlist/record.ts";
import type { SignUp } from "../../server/waitlist/sign_up.ts";
import type { Counts } from "../../server/waitlist/statistics.ts";
import type { Leave, Step } from "../../server/waitlist/transitions.ts";
import type { Entry, Kv } from "../../server/store/kv/engine.ts";
import { readOne } from "../../server/store/kv/calls.ts";
import type { Counter } from "../../shared/counters.ts";
import { listAll } from "./memory_kv.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Random bytes. */
export const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Puts letters and events into the outbox, as with mail and a webhook. */
export const OUTBOX = { sendsLetters: true, sendsEvents: true, random };

/** A random id of a record. */
export const recordId = createRecordIds(random);

/** Stores one sign-up, in a commit of its own. */
export async function storeSignUp(kv: Kv, signUp: SignUp, at: string): Promise<void> {
  await storeSignUps(kv, [{ signUp, at, id: recordId() }]);
}

/** Stores sign-ups of many addresses, by default with letters and events. @param at a date-time */
export async function storeAddresses(
  kv: Kv,
  emails: string[],
  at: string,
  options: Parameters<typeof storeSignUps>[2] = { outbox: OUTBOX },
): Promise<void> {
  const signUps = emails.map((email) => ({ signUp: { email }, at, id: recordId() }));
  while (signUps.length > 0) await storeSignUps(kv, signUps.splice(0, 98), options);
}

/** Changes the record of a person, if there is one. */
export async function changeRecord(
  kv: Kv,
  email: string,
  change: (record: SignUpRecord) => Step | Leave,
): Promise<void> {
  const decide = (record?: SignUpRecord) => record ? change(record) : "unchanged";
  await changeRecords(kv, [{ email, decide }], { outbox: OUTBOX });
}

/** A record without its id, which is random. */
export type ComparableRecord = Omit<SignUpRecord, "id">;

/** The stored sign-ups by their address, without their ids. */
export async function storedSignUps(kv: Kv): Promise<Record<string, ComparableRecord>> {
  const records: Record<string, ComparableRecord> = {};
  for (const { key, value } of await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] })) {
    const { id: _, recount: _recount, ...record } = value;
    records[String(key[1])] = record;
  }
  return records;
}

/** The ids of the stored sign-ups, by their address. */
export async function storedIds(kv: Kv): Promise<Record<string, string>> {
  const records = await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] });
  return Object.fromEntries(records.map(({ key, value }) => [String(key[1]), value.id]));
}

/** The counters by their names, such as `byLang/de`. */
export async function storedCounters(kv: Kv): Promise<Record<string, number>> {
  const counters: Record<string, number> = {};
  for (const { key, value } of await listAll<number>(kv, { prefix: ["statistics"] })) {
    counters[key.slice(1).join("/")] = value;
  }
  return counters;
}

/** Counters with their counts. */
export const countersWith = (...counts: [Counter, number][]) =>
  counts.map(([counter, count]) => ({ counter, count }));

/** Asserts that KV holds no sign-up and no counter. */
export async function assertNothingStored(kv: Kv): Promise<void> {
  assert.deepEqual(await storedSignUps(kv), {});
  assert.deepEqual(await storedCounters(kv), {});
}

/** Reads a record, which must exist. */
export async function recordOf(kv: Kv, email: string): Promise<SignUpRecord> {
  const { value } = await readOne<SignUpRecord>(kv, ["sign_up", email]);
  assert.ok(value);
  return value;
}

/** Reads all entries but the proofs of commits, which belong to no stored data. */
export async function everyEntry(kv: Kv): Promise<Entry<unknown>[]> {
  const entries = await listAll(kv, { prefix: [] });
  return entries.filter(({ key }) => key[0] !== "slot");
}

/** Reads the counts of the statistics at a moment. @param now milliseconds since 1970 */
export function readCounts(kv: Kv, now: number): Promise<Counts> {
  const clocks = { now: () => now, monotonic: () => 0 };
  return createCountsReader(kv, (counts) => counts, clocks)();
}

/**
 * Counts the stored records one by one, by the UTC day of `createdAt`.
 * @param now milliseconds since 1970
 */
export async function recount(kv: Kv, now: number): Promise<Counts> {
  const records = Object.values(await storedSignUps(kv));
  const today = Math.floor(now / DAY);
  const inLast = (days: number) =>
    records.filter(({ createdAt }) => {
      const day = Math.floor(Date.parse(createdAt) / DAY);
      return day <= today && day > today - days;
    }).length;
  const by = (field: "lang" | "role" | "building" | "source") => {
    const counts: Record<string, number> = {};
    for (const { [field]: value } of records) {
      if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };
  return {
    total: records.length,
    last7Days: inLast(7),
    last30Days: inLast(30),
    byLang: by("lang"),
    byRole: by("role"),
    byBuilding: by("building"),
    bySource: by("source"),
  };
}
