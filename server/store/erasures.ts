/**
 * Erasure: a record goes, its counters move, and a mark stays that keeps imports from bringing the
 * address back. A fresh sign-up clears the mark (`sign_ups.ts`), so that no address has both, unless it
 * came while a backup was restored, before the mark did; the later of the two holds then.
 *
 * @module
 */
import { keptErasureSchema } from "../../shared/backup_lines.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import { ERASURE_KEY_BYTES, erasureMarks } from "../waitlist/erasure.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { DEADLINE_MS, untilKnown, withDeadline } from "./deadline.ts";
import { type EntryBatch, isUnreadable, readEntries, VALUE_FAULT } from "./entries.ts";
import { ERASED, erasedKey, ERASURE_KEY, signUpKey } from "./keys.ts";
import { addToCounter } from "./sign_ups.ts";

/** What is known of an address: its record, or when it was erased, or nothing. */
export type Known =
  | { record: SignUpRecord }
  | { erasedAt: string }
  | undefined;

/** Looks an address up; a record goes before a mark. */
export async function findSignUp(kv: Deno.Kv, email: string): Promise<Known> {
  return await withDeadline(DEADLINE_MS, async () => {
    const { record, erasureKey } = await readBoth(kv, email);
    if (record === "unreadable") throw new Error(VALUE_FAULT);
    if (record.value) return { record: record.value };
    return await findMark(kv, erasureKey.value, email);
  });
}

/** Whether an address was erased by this call, had been before, or is unknown. */
export type Erasure = { outcome: "erased" | "erased_before"; erasedAt: string } | undefined;

/**
 * Erases an address: its record, its part in the counters and a mark in its place, all in one commit
 * that nothing has come before. An address without a record is left as it is. Where a commit gives no
 * answer, the address is read again. A record that cannot be read is erased too; its part in the counters
 * is not known, and stays until they are repaired.
 *
 * @param email lower-cased
 */
export async function eraseSignUp(
  kv: Deno.Kv,
  email: string,
  { now, random }: { now: number; random: RandomBytes },
): Promise<Erasure> {
  const erasedAt = new Date(now).toISOString();
  let tried = false;
  const { erasure } = await untilKnown(async (): Promise<{ erasure: Erasure } | undefined> => {
    const { record, erasureKey } = await readBoth(kv, email);
    if (record !== "unreadable" && record.versionstamp === null) {
      const mark = await findMark(kv, erasureKey.value, email);
      const byThisCall = tried && mark?.erasedAt === erasedAt;
      return { erasure: mark && { outcome: byThisCall ? "erased" : "erased_before", ...mark } };
    }
    const key = erasureKey.value ?? random(ERASURE_KEY_BYTES);
    const [mark = ""] = erasureMarks(key, email);
    const commit = kv.atomic().check(erasureKey)
      .delete(signUpKey(email))
      .set(erasedKey(mark), erasedAt)
      // Also where it is there: a new versionstamp tells imports and recounts of this erasure.
      .set(ERASURE_KEY, key);
    if (record !== "unreadable") {
      commit.check(record);
      const counters = new CounterChanges();
      counters.replace(record.value ?? undefined, undefined);
      for (const { counter, by } of counters) addToCounter(commit, counter, by);
    }
    tried = true;
    // A race is lost only to a commit that went through, such as a repeated sign-up.
    return (await commit.commit()).ok ? { erasure: { outcome: "erased", erasedAt } } : undefined;
  });
  return erasure;
}

/** Reads an address's record and the key of the marks; one snapshot, unless the record cannot be read. */
async function readBoth(kv: Deno.Kv, email: string) {
  const key = signUpKey(email);
  try {
    const [record, erasureKey] = await kv.getMany<[SignUpRecord, Uint8Array]>([key, ERASURE_KEY]);
    return { record, erasureKey };
  } catch (error) {
    if (!await isUnreadable(kv, key)) throw error;
    return { record: "unreadable" as const, erasureKey: await kv.get<Uint8Array>(ERASURE_KEY) };
  }
}

async function findMark(
  kv: Deno.Kv,
  key: Uint8Array | null,
  email: string,
): Promise<{ erasedAt: string } | undefined> {
  if (!key) return undefined;
  const marks = await kv.getMany<string[]>(erasureMarks(key, email).map(erasedKey));
  const found = marks.find(({ value }) => value !== null);
  return found && { erasedAt: found.value as string };
}

/** The addresses among some that were erased, and what that was found by. */
export interface ErasedAmong {
  /** When they were; the last time where they have marks of several erasures. */
  erased: Map<string, string>;
  /** To be checked by a commit that relies on it: every erasure changes it. */
  erasureKey: Deno.KvEntryMaybe<Uint8Array>;
}

/** Marks that one `getMany` takes. */
const READ_AT_ONCE = 10;

/** Finds the addresses that were erased. */
export async function findErased(kv: Deno.Kv, emails: string[]): Promise<ErasedAmong> {
  const erasureKey = await kv.get<Uint8Array>(ERASURE_KEY);
  const keys = erasureKey.value;
  const erased = new Map<string, string>();
  if (!keys) return { erased, erasureKey };
  const marks = emails.flatMap((email) => {
    return erasureMarks(keys, email).map((mark) => ({ email, key: erasedKey(mark) }));
  });
  const reads = [];
  for (let from = 0; from < marks.length; from += READ_AT_ONCE) {
    reads.push(kv.getMany<string[]>(marks.slice(from, from + READ_AT_ONCE).map(({ key }) => key)));
  }
  const entries = (await Promise.all(reads)).flat();
  for (const [at, { email }] of marks.entries()) {
    const erasedAt = entries[at]?.value;
    if (erasedAt && erasedAt > (erased.get(email) ?? "")) erased.set(email, erasedAt);
  }
  return { erased, erasureKey };
}

/** Marks that one read brings at the most. */
const MARKS_AT_ONCE = 500;

/** Reads all marks in their order, each with the date-time of its erasure. */
export function readMarks(kv: Deno.Kv): AsyncGenerator<EntryBatch<string>> {
  return readEntries(kv, {
    prefix: ERASED.prefix,
    batchSize: MARKS_AT_ONCE,
    form: { schema: keptErasureSchema, of: (mark, erasedAt) => ({ mark, erasedAt }) },
  });
}

/**
 * How many of the marks there are came after a versionstamp; at least one where any erasure did, even
 * if its mark has been cleared since.
 */
export async function countErasedSince(kv: Deno.Kv, versionstamp: string): Promise<number> {
  const key = await withDeadline(DEADLINE_MS, () => kv.get(ERASURE_KEY));
  if (key.versionstamp === null || key.versionstamp <= versionstamp) return 0;
  let count = 0;
  for await (const { entries } of readMarks(kv)) {
    count += entries.filter((mark) => mark.versionstamp > versionstamp).length;
  }
  return Math.max(1, count);
}

/**
 * Counts the addresses that were erased at a moment or later, and have not signed up again.
 *
 * @param moment a date-time in UTC
 */
export async function countErasuresSince(kv: Deno.Kv, moment: string): Promise<number> {
  let count = 0;
  for await (const { entries } of readMarks(kv)) {
    count += entries.filter(({ value }) => value >= moment).length;
  }
  return count;
}
