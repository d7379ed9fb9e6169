/**
 * Reads lists page after page. `readEntries()` reads tables: an entry that KV cannot read, as after a fault of the disk,
 * or whose value does not fit its schema, is reported by its key and left out. Where the key itself is damaged, KV
 * rejects the page as a whole, so this file searches for the beginning of the key. `pages()` reads indexes, whose keys tell most:
 * an entry stays in its list whatever its value is. @module
 */
import type { z } from "zod";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import { VALUE_FAULT } from "./calls.ts";
import type { Entry, Key, Kv, ListOptions, Selector, Unreadable } from "./engine.ts";
import { formFault } from "./forms.ts";

/** Entries in a page by default. More would keep all else waiting; of fewer, the calls would cost the most. */
export const PAGE_SIZE = 200;

export type ListPageOptions = Partial<ListOptions>;

/** As much of a KV as reading a list needs. */
type Lister = Pick<Kv, "list">;

/** A page of a list. An entry whose value cannot be read is in it, because its key tells most of it. */
export type Page<T> = (Entry<T> | Unreadable)[];

/** Reads a page. */
export const readPage = <T>(
  kv: Lister,
  selector: Selector,
  { limit = PAGE_SIZE, reverse = false }: ListPageOptions = {},
): Promise<Page<T>> => kv.list<T>(selector, { limit, reverse });

/** Gives an entry that can be read. */
export const readable = <T>(entry: Entry<T> | Unreadable): Entry<T> | undefined =>
  "fault" in entry ? undefined : entry;

/** Reads a list to its end in constant memory. What changes meanwhile is read as it is when its page is read. */
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

/** Reads the entries whose keys are the prefix and one more part, a text. */
export interface EntrySelector<T> {
  prefix: Key;
  /** Reading begins at the text `from`, or behind `after`; neither need have an entry. */
  from?: string;
  after?: string | undefined;
  batchSize?: number;
  /** The schema of the values, or of what is made of them; without it, every entry is accepted. */
  form?: { schema: z.ZodType; of?: (text: string, value: T) => unknown };
}

/** Entries in the order of their keys; the unreadable ones are left out and named. */
export interface EntryBatch<T> {
  entries: Entry<T>[];
  unreadable: UnreadableRecord[];
}

/** Reads as {@linkcode pages} does, on behind what is unreadable. @throws where no single entry is the cause */
export async function* readEntries<T>(kv: Lister, selector: EntrySelector<T>) {
  const { prefix, from = "", after, batchSize = PAGE_SIZE, form } = selector;
  // A text is followed by itself and the first character.
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
    // Shorter pages have what comes before the unreadable entry.
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

/** Reads a page, or gives the error of an entry in it. @throws where KV is late, or also fails to list nothing */
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

/** Separates the entries that do not have their form from the others. */
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

const KEY_FAULT = "KV cannot read its key, of which this is the beginning.";

/** The last character of ASCII, of which all keys are; it is in none of them. */
const DELETE = 0x7f;

/**
 * Finds the unreadable entry, the first one at or behind `start`. KV rejects a range only where it reaches behind the
 * entry, so each character of the key is found by halving.
 * @returns the record, and the first key that can come behind it; `undefined` where no single entry is the cause
 */
async function findUnreadable(
  kv: Lister,
  prefix: Key,
  start: Key,
): Promise<{ record: UnreadableRecord; next: Key | undefined } | undefined> {
  const known = start[prefix.length];
  async function isBefore(end: string | undefined): Promise<boolean> {
    // KV refuses a range that ends before it begins.
    if (typeof known === "string" && end !== undefined && end <= known) return false;
    const range = { prefix, start, ...end !== undefined && { end: [...prefix, end] } };
    return "error" in await tryPage(kv, range, 1);
  }

  let text = "";
  let end: string | undefined;
  let reason = KEY_FAULT;
  for (;;) {
    if (await isBefore(`${text}\0`)) {
      end = `${text}\0`;
      reason = VALUE_FAULT;
      break;
    }
    let [code, above] = [0, DELETE + 1];
    while (above - code > 1) {
      const middle = (code + above) >> 1;
      if (await isBefore(text + String.fromCharCode(middle))) above = middle;
      else code = middle;
    }
    if (code === DELETE) break;
    end = text + String.fromCharCode(above);
    text += String.fromCharCode(code);
  }
  // Reads once more, as a read may have failed for another reason; then there is no such key.
  if (!await isBefore(end)) return undefined;
  const next = end === undefined ? undefined : [...prefix, end];
  return { record: { key: [...prefix, text].map(String), reason }, next };
}
