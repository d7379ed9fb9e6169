/** What is kept of erased addresses: marks, keyed hashes, which keep imports from bringing them back. @module */
import { keptErasureSchema } from "../../../shared/backup_lines.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { ERASURE_KEY_BYTES, erasureMarks } from "../../waitlist/mod.ts";
import { Commit, commitChange, type EntryBatch, ERASED, erasedKey, type Kv } from "../kv/mod.ts";
import { readEntries, readMany, readSchema, setSchema, type StoreSchema } from "../kv/mod.ts";

/** Gives the erasure keys; makes the first one where there is none, which the caller's commit writes. */
export function erasureKeysOf(schema: StoreSchema, random: RandomBytes): Uint8Array {
  return schema.erasureKeys ??= random(ERASURE_KEY_BYTES);
}

/** Leaves marks in the commit that erases addresses (when, by address), which also writes the schema; gives the marks. */
export function setMarks(
  commit: Commit,
  schema: StoreSchema,
  erased: ReadonlyMap<string, number>,
  random: RandomBytes,
): string[] {
  const keys = erasureKeysOf(schema, random);
  return Array.from(erased, ([email, at]) => {
    const [mark = ""] = erasureMarks(keys, email);
    commit.set(erasedKey(mark), new Date(at).toISOString());
    return mark;
  });
}

/** Gives the mark by which the audit log names an address; makes the key where there is none. */
export async function hashAddress(kv: Kv, email: string, random: RandomBytes) {
  return await commitChange(kv, async () => {
    const schema = await readSchema(kv);
    const isKnown = schema.erasureKeys !== undefined;
    const [mark = ""] = erasureMarks(erasureKeysOf(schema, random), email);
    const result = () => mark;
    if (isKnown) return { result };
    const commit = new Commit().check(schema.entry);
    setSchema(commit, schema);
    return { commit, result };
  });
}

/** Clears an address's marks in the commit that gives it a record. */
export function clearMarks(commit: Commit, keys: Uint8Array, email: string): void {
  for (const mark of erasureMarks(keys, email)) commit.delete(erasedKey(mark));
}

/** Later than every erasure. */
const UNKNOWN_MOMENT = "9999-12-31T23:59:59.999Z";

/**
 * When the erased ones among some addresses were erased, date-times; the latest of several marks. A mark that cannot be
 * read counts as one of the latest moment, so that only a sign-up by the person clears it.
 */
export async function findMarks(kv: Kv, { erasureKeys }: StoreSchema, emails: string[]) {
  const found = new Map<string, string>();
  if (!erasureKeys) return found;
  const marks = emails.flatMap((email) => {
    return erasureMarks(erasureKeys, email).map((mark) => ({ email, key: erasedKey(mark) }));
  });
  const entries = await readMany<string>(kv, marks.map(({ key }) => key));
  for (const [index, { email }] of marks.entries()) {
    const entry = entries[index];
    const erasedAt = entry ? entry.value ?? "" : UNKNOWN_MOMENT;
    if (erasedAt > (found.get(email) ?? "")) found.set(email, erasedAt);
  }
  return found;
}

export function readMarks(kv: Kv): AsyncGenerator<EntryBatch<string>> {
  return readEntries(kv, {
    ...ERASED,
    form: { schema: keptErasureSchema, of: (mark, erasedAt) => ({ mark, erasedAt }) },
  });
}

/** Counts the addresses that were erased at a date-time or later, and have not signed up again. */
export async function countErasuresSince(kv: Kv, moment: string): Promise<number> {
  let count = 0;
  for await (const { entries } of readMarks(kv)) {
    count += entries.filter(({ value }) => value >= moment).length;
  }
  return count;
}
