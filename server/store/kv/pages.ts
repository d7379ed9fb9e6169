/**
 * Reads lists page after page. `pages()` reads indexes, and also gives entries whose value cannot be read, because the
 * keys of an index hold most of its data. `readEntries()` reads tables, and gives the key of each entry that cannot be
 * read, as after a fault of the disk. `unreadable_key.ts` searches for an entry that makes KV reject the whole page.
 * @module
 */
import type { z } from "zod";
import { oneAhead } from "../../../shared/one_ahead.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { letRequestsArrive } from "../../runtime/mod.ts";
import type { Entry, Key, ListOptions, Selector, UnreadableEntry } from "./engine.ts";
import { formFault } from "./forms.ts";
import { findUnreadable, type Lister, type Page, tryPage } from "./unreadable_key.ts";
export type { Page } from "./unreadable_key.ts";

/**
 * The number of entries in a page by default. Larger pages keep other calls waiting; with smaller pages, the calls
 * themselves cost the most.
 */
export const PAGE_SIZE = 200;

/** The options of a page of a list. By default, a page has at most `PAGE_SIZE` entries, in the order of the keys. */
export type ListPageOptions = Partial<ListOptions>;

/** Reads one page of a list, with at most `PAGE_SIZE` entries by default. */
export const readPage = <T>(
  kv: Lister,
  selector: Selector,
  { limit = PAGE_SIZE, reverse = false }: ListPageOptions = {},
): Promise<Page<T>> => kv.list<T>(selector, { limit, reverse });

/** Gives the entry if it can be read, `undefined` otherwise. */
export const asReadable = <T>(entry: Entry<T> | UnreadableEntry): Entry<T> | undefined =>
  "fault" in entry ? undefined : entry;

/** Reads a list to its end, in constant memory. Each page shows the store at the moment when the page is read. */
export async function* pages<T>(
  kv: Lister,
  selector: Selector,
  options: ListPageOptions = {},
): AsyncGenerator<Page<T>> {
  const { limit = PAGE_SIZE, reverse = false } = options;
  let remaining = selector;
  for (;;) {
    const page = await readPage<T>(kv, remaining, { limit, reverse });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    const { key: lastKey } = page.at(-1)!;
    if (reverse) remaining = { ...remaining, end: lastKey };
    else {
      // `after` takes the place of `start`, because a selector cannot have both.
      const { start: _, ...withoutStart } = remaining;
      remaining = { ...withoutStart, after: lastKey };
    }
  }
}

/**
 * Gives the batches of a long read, such as pages. The next batch is already read while the caller works on the present
 * one. Requests that have arrived are handled before the caller works on the next batch.
 */
export async function* withPausesForRequests<Batch>(
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  for await (const batch of oneAhead(batches)) {
    yield batch;
    await letRequestsArrive();
  }
}

/** Selects the entries whose keys are the prefix and one more text. */
export interface EntrySelector<T> {
  prefix: Key;
  /** The text at which reading begins; it need not have an entry. */
  start?: string;
  /** The text after which reading begins; it need not have an entry. */
  after?: string | undefined;
  /** How many entries a page has at most; by default, `PAGE_SIZE`. */
  limit?: number;
  /**
   * The form that the values must have; by default, any form. The schema checks the value or, if there is a function
   * `toForm`, the object that `toForm` makes of the last part of the key and the value.
   */
  form?: { schema: z.ZodType; toForm?: (lastPart: string, value: T) => unknown };
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
  const { prefix, start = "", after, limit = PAGE_SIZE, form } = selector;
  // The first text that can come after `after` is `after` with the smallest character added at its end.
  let nextKey: Key = [...prefix, after === undefined ? start : `${after}\0`];
  let pageLimit = limit;
  for (;;) {
    const page = await tryPage<T>(kv, { prefix, start: nextKey }, pageLimit);
    if (!("error" in page)) {
      if (page.length > 0) yield separateUnreadable(page, form);
      if (page.length < pageLimit) return;
      nextKey = [...prefix, `${page.at(-1)!.key.at(-1)}\0`];
      pageLimit = Math.min(2 * pageLimit, limit);
    } else if (pageLimit > 1) {
      // Reads a shorter page, which may end before the unreadable entry.
      pageLimit = Math.floor(pageLimit / 2);
    } else {
      // A page of one entry fails, so this entry is the unreadable one.
      const entryToSkip = await findUnreadable(kv, prefix, nextKey);
      if (!entryToSkip) throw page.error;
      yield { entries: [], unreadable: [entryToSkip.record] };
      if (!entryToSkip.keyAfter) return;
      nextKey = entryToSkip.keyAfter;
    }
  }
}

/**
 * Separates the entries that cannot be read, or whose value does not have the given form, from the other entries of a
 * page.
 */
export function separateUnreadable<T>(
  page: Page<T>,
  form: EntrySelector<T>["form"],
): EntryBatch<T> {
  const batch: EntryBatch<T> = { entries: [], unreadable: [] };
  for (const entry of page) {
    const { key } = entry;
    if ("fault" in entry) {
      batch.unreadable.push({ key: key.map(String), reason: entry.fault });
      continue;
    }
    const { value } = entry;
    const valueToCheck = form?.toForm ? form.toForm(String(key.at(-1)), value) : value;
    const reason = formFault(valueToCheck, form?.schema);
    if (reason === undefined) batch.entries.push(entry);
    else batch.unreadable.push({ key: key.map(String), reason });
  }
  return batch;
}
