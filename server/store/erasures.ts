/**
 * Erasure: the record of an address is removed, its counters move, and a mark is left that keeps imports
 * from bringing the address back. A new sign-up clears the mark, so that no address has both. The exception
 * is a sign-up that came while a backup was restored, before the mark was; then the later of the two holds.
 *
 * @module
 */
import { keptErasureSchema } from "../../shared/backup_lines.ts";
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import { ERASURE_KEY_BYTES, erasureMarks } from "../waitlist/erasure.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { setAuditEntry } from "./audit.ts";
import { untilKnown, withKvDeadline } from "./deadline.ts";
import { type EntryBatch, isUnreadable, readEntries, VALUE_FAULT } from "./entries.ts";
import { ERASED, erasedKey, SCHEMA, signUpKey } from "./keys.ts";
import { addToCounter, readInTens } from "./records.ts";
import {
  readSchema,
  setErasureKeys,
  type StoredSchema,
  type StoreSchema,
  toSchema,
} from "./schema.ts";

/** What is known of an address: its record, or the moment of its erasure, or nothing. */
export type Known =
  | { record: SignUpRecord }
  | { erasedAt: string }
  | undefined;

/** Looks an address up; where it has a record and a mark, it gives the record. */
export async function findSignUp(kv: Deno.Kv, email: string): Promise<Known> {
  return await withKvDeadline(kv, async () => {
    const { record, schema } = await readBoth(kv, email);
    if (record === "unreadable") throw new Error(VALUE_FAULT);
    if (record.value) return { record: record.value };
    return await findMark(kv, schema, email);
  });
}

/** Whether this call erased the address, an earlier call did, or the address is unknown. */
export type Erasure = {
  outcome: "erased" | "erased_before";
  erasedAt: string;
  /** Whether the counters still contain the record, as it could not be read. */
  countersLeft?: true;
} | undefined;

/**
 * Erases an address: one commit removes its record, takes it out of the counters and leaves a mark. An
 * address without a record is left as it is. Where a commit gives no answer, the address is read again. A
 * record that cannot be read is erased, too; which counters it was in is not known, so they stay wrong until
 * they are repaired.
 *
 * @param email lower-cased
 */
export async function eraseSignUp(
  kv: Deno.Kv,
  email: string,
  { now, random, audit }: { now: number; random: RandomBytes; audit?: AuditEntry },
): Promise<Erasure> {
  const erasedAt = new Date(now).toISOString();
  let tried = false;
  const { erasure } = await untilKnown(kv, async (): Promise<{ erasure: Erasure } | undefined> => {
    const { record, schema } = await readBoth(kv, email);
    if (record !== "unreadable" && record.versionstamp === null) {
      const mark = await findMark(kv, schema, email);
      const byThisCall = tried && mark?.erasedAt === erasedAt;
      return { erasure: mark && { outcome: byThisCall ? "erased" : "erased_before", ...mark } };
    }
    const keys = schema.erasureKeys ?? random(ERASURE_KEY_BYTES);
    const [mark = ""] = erasureMarks(keys, email);
    const commit = kv.atomic().check(schema.entry)
      .delete(signUpKey(email))
      .set(erasedKey(mark), erasedAt);
    // Written each time: imports and recounts learn of this erasure by the new versionstamp.
    setErasureKeys(commit, schema, keys);
    setAuditEntry(commit, audit && { ...audit, address: mark });
    if (record !== "unreadable") {
      commit.check(record);
      const counters = new CounterChanges();
      counters.replace(record.value ?? undefined, undefined);
      for (const { counter, by } of counters) addToCounter(commit, counter, by);
    }
    tried = true;
    // A check fails only where another commit went through, such as that of a repeated sign-up.
    if (!(await commit.commit()).ok) return undefined;
    const countersLeft = record === "unreadable";
    return { erasure: { outcome: "erased", erasedAt, ...(countersLeft && { countersLeft }) } };
  });
  return erasure;
}

/** Clears an address's marks in the commit that gives it a record. */
export function clearMarks(
  commit: Deno.AtomicOperation,
  erasureKeys: Uint8Array,
  email: string,
): void {
  for (const mark of erasureMarks(erasureKeys, email)) commit.delete(erasedKey(mark));
}

/** Reads an address's record and the schema; one snapshot, unless the record cannot be read. */
async function readBoth(kv: Deno.Kv, email: string) {
  const key = signUpKey(email);
  try {
    const [record, entry] = await kv.getMany<[SignUpRecord, StoredSchema]>([key, SCHEMA]);
    return { record, schema: toSchema(entry) };
  } catch (error) {
    if (!await isUnreadable(kv, key)) throw error;
    return { record: "unreadable" as const, schema: await readSchema(kv) };
  }
}

async function findMark(
  kv: Deno.Kv,
  { erasureKeys }: StoreSchema,
  email: string,
): Promise<{ erasedAt: string } | undefined> {
  if (!erasureKeys) return undefined;
  const marks = await kv.getMany<string[]>(erasureMarks(erasureKeys, email).map(erasedKey));
  const found = marks.find(({ value }) => value !== null);
  return found && { erasedAt: found.value as string };
}

/** The erased ones among some addresses, and the schema that this was found with. */
export interface ErasedAmong {
  /** The moment of each address's erasure; the last one where it was erased several times. */
  erased: Map<string, string>;
  /** Every erasure changes its entry, so a commit that relies on `erased` must check that entry. */
  schema: StoreSchema;
}

/** Finds the addresses that were erased. */
export async function findErased(kv: Deno.Kv, emails: string[]): Promise<ErasedAmong> {
  const schema = await readSchema(kv);
  const { erasureKeys } = schema;
  const erased = new Map<string, string>();
  if (!erasureKeys) return { erased, schema };
  const marks = emails.flatMap((email) => {
    return erasureMarks(erasureKeys, email).map((mark) => ({ email, key: erasedKey(mark) }));
  });
  const entries = await readInTens(marks.map(({ key }) => key), (some) => {
    return kv.getMany<string[]>(some);
  });
  for (const [at, { email }] of marks.entries()) {
    const erasedAt = entries[at]?.value;
    if (erasedAt && erasedAt > (erased.get(email) ?? "")) erased.set(email, erasedAt);
  }
  return { erased, schema };
}

/** The most marks that one read gives. */
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
 * Counts the marks that were written after a versionstamp; at least one where there was an erasure, even if
 * its mark has been cleared since.
 */
export async function countErasedSince(kv: Deno.Kv, versionstamp: string): Promise<number> {
  const schema = await withKvDeadline(kv, () => kv.get(SCHEMA));
  if (schema.versionstamp === null || schema.versionstamp <= versionstamp) return 0;
  return Math.max(1, await countMarks(kv, (mark) => mark.versionstamp > versionstamp));
}

/**
 * Counts the addresses that were erased at a moment or later, and have not signed up again.
 *
 * @param moment a date-time in UTC
 */
export async function countErasuresSince(kv: Deno.Kv, moment: string): Promise<number> {
  return await countMarks(kv, ({ value }) => value >= moment);
}

async function countMarks(kv: Deno.Kv, counts: (mark: Deno.KvEntry<string>) => boolean) {
  let count = 0;
  for await (const { entries } of readMarks(kv)) count += entries.filter(counts).length;
  return count;
}
