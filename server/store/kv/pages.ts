/**
 * Reads lists to their ends, even if single entries are faulty: an entry that KV cannot read, as after a
 * fault of the disk, or whose value does not fit its schema, is reported by its key and left out. KV rejects a read with
 * such an entry as a whole, and names neither the entry nor its key, so this file searches for the key.
 *
 * @module
 */
import type { z } from "zod";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import { withKvDeadline } from "./retry.ts";

/** Which entries to read: those whose keys are the prefix and one more part, a text. */
export interface EntrySelector<T> {
  prefix: Deno.KvKey;
  /** Reading begins after the key with this text, even if it has no entry. */
  after?: string | undefined;
  /** The most entries that one read gives. */
  batchSize: number;
  /** The schema of the entries, and the value to check by it; without it, every entry is accepted. */
  form?: { schema: z.ZodType; of: (text: string, value: T) => unknown };
}

/** Entries in the order of their keys, and the unreadable ones that were left out among or right behind them. */
export interface EntryBatch<T> {
  entries: Deno.KvEntry<T>[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads entries in the order of their keys, in constant memory. An entry that is added, changed or removed
 * meanwhile is read as it is when its batch is read.
 *
 * @throws the error with which KV rejects a read, unless a single entry is its cause
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
      for await (const entries of inBatches(kv, kv.list<T>(rest(), { batchSize }), batchSize)) {
        yield validate(entries, selector);
        start = behind(entries.at(-1)!.key);
      }
      return;
    } catch (error) {
      if (error instanceof DeadlineError || !await answers(kv, start)) throw error;
      // Reads the entries one by one, up to the entry that cannot be read.
      const list = kv.list<T>(rest(), { limit: batchSize, batchSize: 1 });
      const entries = await readUpToFault(kv, list);
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

/** Gathers the entries of a list, `size` at a time. A deadline for each entry would cost more than the entry. */
export async function* inBatches<T>(
  kv: Deno.Kv,
  list: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  const steps = list[Symbol.asyncIterator]();
  async function gather(): Promise<T[]> {
    const batch: T[] = [];
    while (batch.length < size) {
      const step = await steps.next();
      if (step.done) break;
      batch.push(step.value);
    }
    return batch;
  }
  for (;;) {
    const batch = await withKvDeadline(kv, gather);
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
  }
}

async function readUpToFault<T>(
  kv: Deno.Kv,
  list: Deno.KvListIterator<T>,
): Promise<Deno.KvEntry<T>[]> {
  const entries: Deno.KvEntry<T>[] = [];
  try {
    for await (const [entry] of inBatches(kv, list, 1)) entries.push(entry!);
  } catch {
    // The search for the unreadable entry meets the fault again.
  }
  return entries;
}

/** Separates the entries that do not have their form from the others. */
export function validate<T>(
  entries: Deno.KvEntry<T>[],
  { form }: Pick<EntrySelector<T>, "form">,
): EntryBatch<T> {
  const batch: EntryBatch<T> = { entries: [], unreadable: [] };
  for (const entry of entries) {
    const parsed = form?.schema.safeParse(form.of(String(entry.key.at(-1)), entry.value));
    const issue = parsed?.error?.issues[0];
    if (!issue) batch.entries.push(entry);
    else {
      const field = issue.path.join(".");
      const reason = field
        ? `The field ${field} does not have the right form.`
        : "The value does not have the right form.";
      batch.unreadable.push({ key: entry.key.map(String), reason });
    }
  }
  return batch;
}

/** Says what is wrong with a record whose key is known. */
export const VALUE_FAULT = "KV cannot read its value.";

/** Whether KV cannot read the value of a key, while it can read others. */
export async function isUnreadable(kv: Deno.Kv, key: Deno.KvKey): Promise<boolean> {
  return await rejects(kv, () => kv.get(key)) && await answers(kv, key);
}

/** The first key that can come after a key. */
function behind(key: Deno.KvKey): Deno.KvKey {
  return [...key, new Uint8Array()];
}

/** Whether KV answers at all: it is asked for a key that has no entry, near another key. */
async function answers(kv: Deno.Kv, key: Deno.KvKey): Promise<boolean> {
  return !await rejects(kv, () => kv.get(behind(behind(key))));
}

async function rejects(kv: Deno.Kv, read: () => Promise<unknown>): Promise<boolean> {
  return await withKvDeadline(kv, read).then(() => false, () => true);
}

/** The last code point of Unicode. */
const LAST_CODE = 0x10ffff;

/** The longest key that KV takes, in bytes. */
const MAX_KEY_BYTES = 2_048;

/**
 * Finds the unreadable entry, which is the first one at or after `start`. KV rejects a range only where the
 * entry is in it, so the entry's key can be found character by character.
 *
 * @param selector keys have one part, a text, behind the prefix; `start` is the prefix or behind such a key
 * @returns the record, and the first key that can come behind it; `undefined` where the reads fail for
 * another reason than a single entry
 */
async function findUnreadable(
  kv: Deno.Kv,
  { prefix, start }: { prefix: Deno.KvKey; start: Deno.KvKey },
): Promise<{ record: UnreadableRecord; next: Deno.KvKey | undefined } | undefined> {
  const known = start[prefix.length];
  const isRejected = (range: Deno.KvListSelector) =>
    rejects(kv, () => Array.fromAsync(kv.list(range, { limit: 1, batchSize: 1 })));

  /** Whether the key is this text or comes after it. */
  async function reaches(text: string): Promise<boolean> {
    if (typeof known === "string" && text <= known) return true;
    return !await isRejected({ start, end: [...prefix, text] });
  }

  let text = "";
  /** A text that comes after the key. */
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
    // The key comes after every text with this beginning, so the next part of the key is no text.
    if (code === LAST_CODE) break;
    end = text + characterOf(code + 1);
    text += characterOf(code);
  }
  // Reads once more, as the reads may have failed for another reason; then there is no such key.
  const next = end === undefined ? undefined : [...prefix, end];
  const range = next ? { start, end: next } : { prefix, ...start !== prefix && { start } };
  if (!await isRejected(range) || !await answers(kv, start)) return undefined;
  return { record: { key: [...prefix, text].map(String), reason }, next };
}

/** The character of a code point; a surrogate, which is no character, is replaced by the next character. */
function characterOf(code: number): string {
  return String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xe000 : code);
}

/** The largest code point for which `holds` is true; it is true up to that one, and false after it. */
async function largest(holds: (code: number) => Promise<boolean>): Promise<number> {
  // Most keys are ASCII.
  let [from, to] = await holds(0x80) ? [0x80, LAST_CODE + 1] : [0, 0x80];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (await holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}
