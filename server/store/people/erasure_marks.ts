/**
 * Erasure marks: the keyed hashes that remain of erased addresses, so that no import brings such an address back. The
 * audit log names each address, whether it is erased or not, by the same hash, which this file gives as well.
 * `waitlist/erasure.ts` makes the hashes with the erasure keys. @module
 */
import { storedErasureMarkSchema } from "../../../shared/backup_lines.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { ERASURE_KEY_BYTES, erasureMarksOf } from "../../waitlist/mod.ts";
import {
  Commit,
  commitChange,
  type EntryBatch,
  ERASURE_MARKS,
  erasureMarkKey,
  type Kv,
  readEntries,
  readMany,
  readSchema,
  type SchemaSnapshot,
  setSchema,
} from "../kv/mod.ts";

/**
 * Gives the erasure keys, one after the other in one array. If there is no key, adds a first key to `schema`. In this
 * case, the commit of the caller must write `schema`.
 */
export function ensureErasureKeys(schema: SchemaSnapshot, random: RandomBytes): Uint8Array {
  return schema.erasureKeys ??= random(ERASURE_KEY_BYTES);
}

/**
 * Adds erasure marks to the commit that erases the addresses. The caller must write `schema` in the same commit,
 * because this function may add the first erasure key to `schema`.
 * @param erasureMoments the moments of the erasures by address, in milliseconds since 1970
 * @returns the erasure marks, in the order of the addresses
 */
export function setErasureMarks(
  commit: Commit,
  schema: SchemaSnapshot,
  erasureMoments: ReadonlyMap<string, number>,
  random: RandomBytes,
): string[] {
  const erasureKeys = ensureErasureKeys(schema, random);
  return Array.from(erasureMoments, ([email, moment]) => {
    // The first mark is made with the store's own erasure key.
    const [mark = ""] = erasureMarksOf(erasureKeys, email);
    commit.set(erasureMarkKey(mark), new Date(moment).toISOString());
    return mark;
  });
}

/**
 * Gives the hash by which the audit log names an address. The commit of the caller must write `schema`, because this
 * function may add the first erasure key to `schema`.
 */
export function hashForAudit(schema: SchemaSnapshot, email: string, random: RandomBytes): string {
  // The first hash is made with the store's own erasure key.
  const [addressHash = ""] = erasureMarksOf(ensureErasureKeys(schema, random), email);
  return addressHash;
}

/** Gives the hashes by which the audit log names addresses. Makes an erasure key if there is none. */
export async function hashAddresses(
  kv: Kv,
  emails: string[],
  random: RandomBytes,
): Promise<string[]> {
  return await commitChange(kv, async () => {
    const schema = await readSchema(kv);
    const hadKey = schema.erasureKeys !== undefined;
    const hashes = emails.map((email) => hashForAudit(schema, email, random));
    const result = () => hashes;
    if (hadKey) return { result };
    const commit = new Commit().check(schema.entry);
    setSchema(commit, schema);
    return { commit, result };
  });
}

/** Gives the hash by which the audit log names an address, as {@linkcode hashAddresses} does. */
export async function hashAddress(kv: Kv, email: string, random: RandomBytes): Promise<string> {
  return (await hashAddresses(kv, [email], random))[0]!;
}

/** Removes the erasure marks of an address in the commit that gives the address a record. */
export function clearErasureMarks(commit: Commit, erasureKeys: Uint8Array, email: string): void {
  for (const mark of erasureMarksOf(erasureKeys, email)) commit.delete(erasureMarkKey(mark));
}

/** The date-time that counts for an erasure mark that cannot be read. It is later than every erasure. */
const UNKNOWN_MOMENT = "9999-12-31T23:59:59.999Z";

/**
 * Finds out which of some addresses were erased, and when. An erasure mark that cannot be read counts as later than
 * every other mark, so that only a sign-up by the person removes it.
 * @returns the date-times of the erasures by address. An address with several erasure marks has the latest date-time.
 * An address without an erasure mark is absent.
 */
export async function findErasureMoments(
  kv: Kv,
  { erasureKeys }: SchemaSnapshot,
  emails: string[],
): Promise<ReadonlyMap<string, string>> {
  const moments = new Map<string, string>();
  if (!erasureKeys) return moments;
  // An address has one possible erasure mark for each erasure key.
  const possibleMarks = emails.flatMap((email) => {
    return erasureMarksOf(erasureKeys, email).map((mark) => ({ email, key: erasureMarkKey(mark) }));
  });
  const entries = await readMany<string>(kv, possibleMarks.map(({ key }) => key));
  for (const [index, { email }] of possibleMarks.entries()) {
    const entry = entries[index];
    // `entry` is `undefined` if the mark cannot be read, and `entry.value` is `null` if there is no mark.
    const erasedAt = entry === undefined ? UNKNOWN_MOMENT : entry.value;
    if (erasedAt !== null && erasedAt > (moments.get(email) ?? "")) moments.set(email, erasedAt);
  }
  return moments;
}

/** Reads all erasure marks and their date-times, a batch at a time. */
export function readErasureMarks(kv: Kv): AsyncGenerator<EntryBatch<string>> {
  return readEntries(kv, {
    ...ERASURE_MARKS,
    form: { schema: storedErasureMarkSchema, toForm: (mark, erasedAt) => ({ mark, erasedAt }) },
  });
}

/** Counts the addresses that were erased at a date-time or later and have not signed up again. */
export async function countErasuresSince(kv: Kv, since: string): Promise<number> {
  let count = 0;
  for await (const { entries } of readErasureMarks(kv)) {
    count += entries.filter(({ value }) => value >= since).length;
  }
  return count;
}
