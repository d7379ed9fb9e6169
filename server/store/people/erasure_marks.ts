/**
 * What is kept of erased addresses: a mark for each, a keyed hash, which keeps imports from bringing the
 * address back. A new sign-up clears it.
 *
 * @module
 */
import { keptErasureSchema } from "../../../shared/backup_lines.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { ERASURE_KEY_BYTES, erasureMarks } from "../../waitlist/mod.ts";
import {
  commitChange,
  type EntryBatch,
  ERASED,
  erasedKey,
  readEntries,
  readInTens,
  readSchema,
  SCHEMA,
  setErasureKeys,
  type StoreSchema,
  withKvDeadline,
} from "../kv/mod.ts";

/**
 * Leaves marks in the commit that erases addresses, and makes the key of the marks where there is none.
 *
 * @returns the hashes of the addresses
 */
export function setMarks(
  commit: Deno.AtomicOperation,
  schema: StoreSchema,
  { emails, at, random }: { emails: string[]; at: number; random: RandomBytes },
): string[] {
  const keys = schema.erasureKeys ?? random(ERASURE_KEY_BYTES);
  const erasedAt = new Date(at).toISOString();
  // Written each time: imports and recounts learn of this erasure by the new versionstamp.
  setErasureKeys(commit, schema, keys);
  return emails.map((email) => {
    const [mark = ""] = erasureMarks(keys, email);
    commit.set(erasedKey(mark), erasedAt);
    return mark;
  });
}

/**
 * Gives the hash by which the audit log names an address, which is that of its mark; makes the key of the hash
 * where there is none.
 */
export async function hashAddress(
  kv: Deno.Kv,
  email: string,
  random: RandomBytes,
): Promise<string> {
  return await commitChange(kv, async () => {
    const schema = await readSchema(kv);
    const keys = schema.erasureKeys ?? random(ERASURE_KEY_BYTES);
    const [mark = ""] = erasureMarks(keys, email);
    const result = () => mark;
    if (schema.erasureKeys) return { result };
    const commit = kv.atomic().check(schema.entry);
    setErasureKeys(commit, schema, keys);
    return { commit, result };
  });
}

/** Clears an address's marks in the commit that gives it a record. */
export function clearMarks(
  commit: Deno.AtomicOperation,
  erasureKeys: Uint8Array,
  email: string,
): void {
  for (const mark of erasureMarks(erasureKeys, email)) commit.delete(erasedKey(mark));
}

/** What is kept of an erased address, under its mark. */
export interface Mark {
  /** The moment of the erasure, a date-time. */
  erasedAt: string;
}

/** A mark as it is stored. Earlier versions stored more of some, which the brakes of mailboxes have replaced. */
export type StoredMark = string | Mark;

/** Gives a mark that was read. */
export function toMark(stored: StoredMark): Mark {
  return { erasedAt: typeof stored === "string" ? stored : stored.erasedAt };
}

/** Finds the marks of the erased ones among some addresses; the latest where an address has several. */
export async function findMarks(
  kv: Deno.Kv,
  { erasureKeys }: StoreSchema,
  emails: string[],
): Promise<Map<string, Mark>> {
  const found = new Map<string, Mark>();
  if (!erasureKeys) return found;
  const marks = emails.flatMap((email) => {
    return erasureMarks(erasureKeys, email).map((mark) => ({ email, key: erasedKey(mark) }));
  });
  const entries = await readInTens(marks.map(({ key }) => key), (some) => {
    return kv.getMany<StoredMark[]>(some);
  });
  for (const [at, { email }] of marks.entries()) {
    const stored = entries[at]?.value;
    if (!stored) continue;
    const mark = toMark(stored);
    if (mark.erasedAt > (found.get(email)?.erasedAt ?? "")) found.set(email, mark);
  }
  return found;
}

/** Reads all marks in their order, each with the date-time of its erasure. */
export function readMarks(kv: Deno.Kv): AsyncGenerator<EntryBatch<StoredMark>> {
  return readEntries(kv, {
    prefix: ERASED.prefix,
    batchSize: MARKS_AT_ONCE,
    form: { schema: keptErasureSchema, of: (mark, stored) => ({ mark, ...toMark(stored) }) },
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
  return await countMarks(kv, ({ value }) => toMark(value).erasedAt >= moment);
}

/** The most marks that one read gives. */
const MARKS_AT_ONCE = 500;

async function countMarks(kv: Deno.Kv, counts: (mark: Deno.KvEntry<StoredMark>) => boolean) {
  let count = 0;
  for await (const { entries } of readMarks(kv)) count += entries.filter(counts).length;
  return count;
}
