/**
 * Reads lists page after page. `pages()` reads indexes, and also gives entries whose value cannot be read, because the
 * keys of an index hold most of its data. `readEntries()` reads tables, and gives the key of each entry that cannot be
 * read, as after a fault of the disk. If the key itself is damaged, KV rejects the whole page, so this file searches
 * for the beginning of the key. @module
 */
import type { z } from "zod";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import { VALUE_FAULT } from "./calls.ts";
import type { Entry, Key, Kv, ListOptions, Selector, Unreadable } from "./engine.ts";
import { formFault } from "./forms.ts";

/**
 * The number of entries in a page by default. Larger pages keep other calls waiting; with smaller pages, the calls
 * themselves cost the most.
 */
export const PAGE_SIZE = 200;

export type ListPageOptions = Partial<ListOptions>;

/** The part of a KV that reads lists. */
type Lister = Pick<Kv, "list">;

/** A page of a list. It includes entries whose value cannot be read, because their keys tell most of what they hold. */
export type Page<T> = (Entry<T> | Unreadable)[];

/** Reads one page of a list, with at most `PAGE_SIZE` entries by default. */
export const readPage = <T>(
  kv: Lister,
  selector: Selector,
  { limit = PAGE_SIZE, reverse = false }: ListPageOptions = {},
): Promise<Page<T>> => kv.list<T>(selector, { limit, reverse });

/** Gives the entry if it can be read, `undefined` otherwise. */
export const readable = <T>(entry: Entry<T> | Unreadable): Entry<T> | undefined =>
  "fault" in entry ? undefined : entry;

/** Reads a list to its end in constant memory. Each page shows the store at the moment when the page is read. */
export async function* pages<T>(
  kv: Lister,
  selector: Selector,
  options: ListPageOptions = {},
): AsyncGenerator<Page<T>> {
  const { limit = PAGE_SIZE, reverse = false } = options;
  for (let rest = selector;;) {
    const entries = await readPage<T>(kv, rest, { limit, reverse });
    if (entries.length > 0) yield entries;
    if (entries.length < limit) return;
    const { key } = entries.at(-1)!;
    if (reverse) rest = { ...rest, end: key };
    else {
      const { start: _, ...others } = rest;
      rest = { ...others, after: key };
    }
  }
}

/** Selects the entries whose keys consist of the prefix and one more text. */
export interface EntrySelector<T> {
  prefix: Key;
  /** The text at which reading begins; it need not have an entry. */
  from?: string;
  /** The text after which reading begins; it need not have an entry. */
  after?: string | undefined;
  /** The number of entries in a page; `PAGE_SIZE` if absent. */
  batchSize?: number;
  /**
   * The schema that the values must have. If there is a function `of`, the schema is for what `of` makes of the last
   * part of the key and the value. Without `form`, every value is accepted.
   */
  form?: { schema: z.ZodType; of?: (text: string, value: T) => unknown };
}

/** Entries in the order of their keys, and the entries that cannot be read. */
export interface EntryBatch<T> {
  entries: Entry<T>[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads a table to its end, and goes on after each entry that cannot be read.
 * @throws the error of KV if no single entry is its cause
 */
export async function* readEntries<T>(kv: Lister, selector: EntrySelector<T>) {
  const { prefix, from = "", after, batchSize = PAGE_SIZE, form } = selector;
  // The first text that can come after `after` is `after` with the smallest character added at its end.
  let start: Key = [...prefix, after === undefined ? from : `${after}\0`];
  for (let limit = batchSize;;) {
    const page = await tryPage<T>(kv, { prefix, start }, limit);
    if (!("error" in page)) {
      if (page.length > 0) yield validate(page, form);
      if (page.length < limit) return;
      start = [...prefix, `${page.at(-1)!.key.at(-1)}\0`];
      limit = Math.min(2 * limit, batchSize);
      continue;
    }
    // Reads a shorter page, which may end before the unreadable entry.
    limit = limit >> 1;
    if (limit > 0) continue;
    const found = await findUnreadable(kv, prefix, start);
    if (!found) throw page.error;
    yield { entries: [], unreadable: [found.record] };
    if (!found.next) return;
    start = found.next;
    limit = 1;
  }
}

/**
 * Reads a page, or gives the error that an entry in it has caused.
 * @throws the error of KV if KV is late, or rejects an empty range as well, so that no entry is the cause
 */
async function tryPage<T>(kv: Lister, selector: Selector & { start: Key }, limit: number) {
  try {
    return await kv.list<T>(selector, { limit });
  } catch (error) {
    const prefix = [...selector.start, ""];
    const listsNothing = !(error instanceof DeadlineError) &&
      await kv.list({ prefix }, { limit: 1 }).then(() => true, () => false);
    if (listsNothing) return { error };
    throw error;
  }
}

/** Separates the entries that cannot be read, or do not have the form, from the others. */
export function validate<T>(page: Page<T>, form: EntrySelector<T>["form"]): EntryBatch<T> {
  const batch: EntryBatch<T> = { entries: [], unreadable: [] };
  for (const entry of page) {
    const { key } = entry;
    if ("fault" in entry) {
      batch.unreadable.push({ key: key.map(String), reason: entry.fault });
      continue;
    }
    const { value } = entry;
    const formed = form?.of ? form.of(String(key.at(-1)), value) : value;
    const reason = formFault(formed, form?.schema);
    if (reason === undefined) batch.entries.push(entry);
    else batch.unreadable.push({ key: key.map(String), reason });
  }
  return batch;
}

/** The reason that is given for an unreadable entry if only the beginning of its key could be found. */
const KEY_FAULT = "KV cannot read its key, of which this is the beginning.";

/**
 * The last character of ASCII, at which the search of a key ends: all keys are ASCII, and none of them has this
 * character.
 */
const DELETE = 0x7f;

/**
 * Finds the first unreadable entry at or after `start`. KV rejects exactly those ranges that have the entry, so a
 * binary search finds its key, character by character.
 * @returns the entry, and the first key that can come after it; `undefined` if no single entry makes KV reject the
 * range
 */
async function findUnreadable(
  kv: Lister,
  prefix: Key,
  start: Key,
): Promise<{ record: UnreadableRecord; next: Key | undefined } | undefined> {
  const known = start[prefix.length];
  /** Whether the unreadable entry comes before `end`, the end of a range. */
  async function isBefore(end: string | undefined): Promise<boolean> {
    // KV rejects a range that ends before it begins, so such a range is not read.
    if (typeof known === "string" && end !== undefined && end <= known) return false;
    const range = { prefix, start, ...end !== undefined && { end: [...prefix, end] } };
    return "error" in await tryPage(kv, range, 1);
  }

  const { text, end, reason } = await findText(isBefore);
  // Checks the found key by one more read. An earlier read may have failed for another reason, and the key is wrong
  // then.
  if (!await isBefore(end)) return undefined;
  const next = end === undefined ? undefined : [...prefix, end];
  return { record: { key: [...prefix, text].map(String), reason }, next };
}

/** The last part of the key of an unreadable entry, as far as it could be found. */
interface FoundText {
  text: string;
  /** The first text that can come after the entry; `undefined` if every text may come before it. */
  end: string | undefined;
  reason: string;
}

/** Finds the text that is the last part of an entry's key, character by character. */
async function findText(
  isBefore: (end: string | undefined) => Promise<boolean>,
): Promise<FoundText> {
  let text = "";
  let end: string | undefined;
  // The first text after a text is the same text with a further NUL character.
  while (!await isBefore(`${text}\0`)) {
    const code = await findCode((below) => isBefore(text + String.fromCharCode(below)));
    if (code === DELETE) return { text, end, reason: KEY_FAULT };
    end = text + String.fromCharCode(code + 1);
    text += String.fromCharCode(code);
  }
  return { text, end: `${text}\0`, reason: VALUE_FAULT };
}

/**
 * Finds the code of the next character by a binary search.
 * @param isBelow whether the code is below a number
 * @returns the code; {@linkcode DELETE} if no character of a key fits
 */
async function findCode(isBelow: (code: number) => Promise<boolean>): Promise<number> {
  let code = 0;
  let above = DELETE + 1;
  while (above - code > 1) {
    const middle = (code + above) >> 1;
    if (await isBelow(middle)) above = middle;
    else code = middle;
  }
  return code;
}
