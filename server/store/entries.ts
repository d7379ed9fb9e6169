/**
 * Reads lists to their end, whatever is wrong with single entries of them: an entry that KV cannot read,
 * or whose value does not have the form that it should, is named and left out.
 *
 * @module
 */
import type { z } from "zod";
import { DEADLINE_MS, inBatches, withDeadline } from "./deadline.ts";
import type { UnreadableRecord } from "../../shared/operator_schemas.ts";

/** Which entries to read: those whose keys have one part, a text, behind the prefix. */
export interface EntrySelector<T> {
  prefix: Deno.KvKey;
  /** The text to begin behind; there need not be an entry of it. */
  after?: string | undefined;
  /** Entries that one read brings at the most. */
  batchSize: number;
  /** The form of the entries, and what of an entry it is the form of; any form does without it. */
  form?: { schema: z.ZodType; of: (text: string, value: T) => unknown };
}

/** Entries in the order of their keys, and what was left out among and right behind them. */
export interface EntryBatch<T> {
  entries: Deno.KvEntry<T>[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads entries in the order of their keys, at constant memory. An entry that comes, changes or goes
 * meanwhile is read as it is when its batch is.
 *
 * @throws what KV rejects a read with, unless a single entry is what cannot be read
 */
export async function* readEntries<T>(
  kv: Deno.Kv,
  selector: EntrySelector<T>,
): AsyncGenerator<EntryBatch<T>> {
  const { prefix, after, batchSize } = selector;
  let start = after === undefined ? prefix : behind([...prefix, after]);
  const rest = () => start === prefix ? { prefix } : { prefix, start };
  for (;;) {
    try {
      for await (const entries of inBatches(kv.list<T>(rest(), { batchSize }), batchSize)) {
        yield validate(entries, selector);
        start = behind(entries.at(-1)!.key);
      }
      return;
    } catch (error) {
      if (!await answers(kv, start)) throw error;
      // One by one, up to the one that cannot be read.
      const list = kv.list<T>(rest(), { limit: batchSize, batchSize: 1 });
      const entries = await readUpToFault(list);
      if (entries.length > 0) start = behind(entries.at(-1)!.key);
      const batch = validate(entries, selector);
      if (entries.length < batchSize) {
        const found = await findUnreadable(kv, { prefix, start });
        if (!found) throw error;
        batch.unreadable.push(found.record);
        if (!found.next) return yield batch;
        start = found.next;
      }
      yield batch;
    }
  }
}

async function readUpToFault<T>(list: Deno.KvListIterator<T>): Promise<Deno.KvEntry<T>[]> {
  const entries: Deno.KvEntry<T>[] = [];
  try {
    for await (const [entry] of inBatches(list, 1)) entries.push(entry!);
  } catch {
    // Whoever looks for the fault learns of it once more.
  }
  return entries;
}

/** Tells entries apart from those that do not have their form. */
function validate<T>(entries: Deno.KvEntry<T>[], { form }: EntrySelector<T>): EntryBatch<T> {
  const batch: EntryBatch<T> = { entries: [], unreadable: [] };
  for (const entry of entries) {
    const parsed = form?.schema.safeParse(form.of(String(entry.key.at(-1)), entry.value));
    const issue = parsed?.error?.issues[0];
    if (!issue) batch.entries.push(entry);
    else {
      const field = issue.path.join(".");
      const reason = field
        ? `The field ${field} is not as it should be.`
        : "It is not as it should be.";
      batch.unreadable.push({ key: entry.key.map(String), reason });
    }
  }
  return batch;
}

/**
 * Finds entries that KV cannot read, as after a fault of the disk. KV rejects a read that meets such an
 * entry as a whole, and names neither the entry nor its key.
 *
 * @module
 */

/** What is wrong with a record whose key is known. */
export const VALUE_FAULT = "KV cannot read its value.";

/** Whether KV cannot read the value of a key, while it can read others. */
export async function isUnreadable(kv: Deno.Kv, key: Deno.KvKey): Promise<boolean> {
  return await rejects(() => kv.get(key)) && await answers(kv, key);
}

/** The first key that can come after a key. */
export function behind(key: Deno.KvKey): Deno.KvKey {
  return [...key, new Uint8Array()];
}

/** Whether KV reads a key that has no entry, beside another one. */
export async function answers(kv: Deno.Kv, key: Deno.KvKey): Promise<boolean> {
  return !await rejects(() => kv.get(behind(behind(key))));
}

async function rejects(read: () => Promise<unknown>): Promise<boolean> {
  return await withDeadline(DEADLINE_MS, read).then(() => false, () => true);
}

/** The last code point that there is. */
const LAST_CODE = 0x10ffff;

/** The longest key that KV takes, in bytes. */
const MAX_KEY_BYTES = 2_048;

/**
 * Finds the first entry from a key on, which cannot be read: a range that ends before its key is empty,
 * and a longer one is rejected, so that the key can be found character by character.
 *
 * @param selector keys have one part, a text, behind the prefix; `start` is the prefix or behind such a key
 * @returns the record, and the first key behind it that there can be; `undefined` where it is not a single
 * entry that cannot be read
 */
export async function findUnreadable(
  kv: Deno.Kv,
  { prefix, start }: { prefix: Deno.KvKey; start: Deno.KvKey },
): Promise<{ record: UnreadableRecord; next: Deno.KvKey | undefined } | undefined> {
  const known = start[prefix.length];
  const isRejected = (range: Deno.KvListSelector) =>
    rejects(() => Array.fromAsync(kv.list(range, { limit: 1, batchSize: 1 })));

  /** Whether the key is this text or comes after it. */
  async function reaches(text: string): Promise<boolean> {
    if (typeof known === "string" && text <= known) return true;
    return !await isRejected({ start, end: [...prefix, text] });
  }

  let text = "";
  /** A text that the key does not reach. */
  let end: string | undefined;
  let reason = "KV cannot read its key, of which this is the beginning.";
  if (!await reaches("")) end = "";
  while (end !== "" && text.length < MAX_KEY_BYTES) {
    if (!await reaches(`${text}\0`)) {
      end = `${text}\0`;
      reason = VALUE_FAULT;
      break;
    }
    const code = await largest((code) => reaches(text + characterOf(code)));
    // No text with this beginning reaches so far, so that what follows in the key is no text.
    if (code === LAST_CODE) break;
    end = text + characterOf(code + 1);
    text += characterOf(code);
  }
  // Once more: where reads have failed for another reason, there is no such key.
  const next = end === undefined ? undefined : [...prefix, end];
  const range = next ? { start, end: next } : { prefix, ...start !== prefix && { start } };
  if (!await isRejected(range) || !await answers(kv, start)) return undefined;
  return { record: { key: [...prefix, text].map(String), reason }, next };
}

/** The character of a code point; surrogates, which are none by themselves, stand for what follows them. */
function characterOf(code: number): string {
  return String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xe000 : code);
}

/** The largest code point that something holds for, which holds up to one and for none after it. */
async function largest(holds: (code: number) => Promise<boolean>): Promise<number> {
  // Most are ASCII.
  let [from, to] = await holds(0x80) ? [0x80, LAST_CODE + 1] : [0, 0x80];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (await holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}
