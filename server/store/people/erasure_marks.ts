/**
 * What is kept of erased addresses: a mark for each, a keyed hash, which keeps imports from bringing the address back.
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
  readAll,
  readEntries,
  readSchema,
  SCHEMA,
  setErasureKeys,
  type StoreSchema,
  withKvDeadline,
} from "../kv/mod.ts";

/**
 * Leaves marks in the commit that erases addresses (when, by address); makes their key where there is none; gives the
 * marks.
 */
export function setMarks(
  commit: Deno.AtomicOperation,
  schema: StoreSchema,
  erased: ReadonlyMap<string, number>,
  random: RandomBytes,
): string[] {
  const keys = schema.erasureKeys ?? random(ERASURE_KEY_BYTES);
  // Written each time: imports and recounts learn of this erasure by the new versionstamp.
  setErasureKeys(commit, schema, keys);
  return Array.from(erased, ([email, at]) => {
    const [mark = ""] = erasureMarks(keys, email);
    commit.set(erasedKey(mark), new Date(at).toISOString());
    return mark;
  });
}

/** Gives the mark by which the audit log names an address; makes the key where there is none. */
export async function hashAddress(kv: Deno.Kv, email: string, random: RandomBytes) {
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
export function clearMarks(commit: Deno.AtomicOperation, keys: Uint8Array, email: string): void {
  for (const mark of erasureMarks(keys, email)) commit.delete(erasedKey(mark));
}

/** When the erased ones among some addresses were erased, date-times; the latest of several marks. */
export async function findMarks(
  kv: Deno.Kv,
  { erasureKeys }: StoreSchema,
  emails: string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (!erasureKeys) return found;
  const marks = emails.flatMap((email) => {
    return erasureMarks(erasureKeys, email).map((mark) => ({ email, key: erasedKey(mark) }));
  });
  const entries = await readAll<string>(kv, marks.map(({ key }) => key));
  for (const [index, { email }] of marks.entries()) {
    const erasedAt = entries[index]?.value ?? "";
    if (erasedAt > (found.get(email) ?? "")) found.set(email, erasedAt);
  }
  return found;
}

export function readMarks(kv: Deno.Kv): AsyncGenerator<EntryBatch<string>> {
  return readEntries(kv, {
    ...ERASED,
    form: { schema: keptErasureSchema, of: (mark, erasedAt) => ({ mark, erasedAt }) },
  });
}

/**
 * Counts the marks that were written after a versionstamp; at least one where there was an erasure, even if its mark
 * is gone.
 */
export async function countErasedSince(kv: Deno.Kv, versionstamp: string): Promise<number> {
  const schema = await withKvDeadline(kv, () => kv.get(SCHEMA));
  if (schema.versionstamp === null || schema.versionstamp <= versionstamp) return 0;
  return Math.max(1, await countMarks(kv, (mark) => mark.versionstamp > versionstamp));
}

/** Counts the addresses that were erased at a date-time or later, and have not signed up again. */
export async function countErasuresSince(kv: Deno.Kv, moment: string): Promise<number> {
  return await countMarks(kv, ({ value }) => value >= moment);
}

async function countMarks(kv: Deno.Kv, counts: (mark: Deno.KvEntry<string>) => boolean) {
  let count = 0;
  for await (const { entries } of readMarks(kv)) count += entries.filter(counts).length;
  return count;
}
