/**
 * Finds an entry that makes KV reject each page with the entry in it, as after a fault of the disk. If the key itself
 * is damaged, the search gives the beginning of the key. An engine can name some unreadable entries by itself, as the
 * engine for Deno KV does (`unreadable_entries.ts`); this search is for all others, on any engine.
 *
 * An example: the entry `["client", "cat"]` cannot be read. KV rejects `["client", "a"]` to `["client", "d"]` and reads
 * `["client", "a"]` to `["client", "c"]`, so the first character is "c". The next searches give "a" and "t". KV also
 * rejects the range that ends at `["client", "cat\0"]`, so the text ends with "t". @module
 */
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import { END_OF_ASCII, findCharacterCode } from "./binary_search.ts";
import { VALUE_FAULT } from "./calls.ts";
import type { Entry, Key, Kv, Selector, UnreadableEntry } from "./engine.ts";

/** The part of a KV that reads lists. */
export type Lister = Pick<Kv, "list">;

/**
 * A page of a list. It also has the entries whose value cannot be read, because the keys of a list hold most of its
 * data.
 */
export type Page<T> = (Entry<T> | UnreadableEntry)[];

/**
 * Reads a page. If KV rejects the page because of an entry in it, gives the error of KV.
 * @throws the error of KV if KV is late, or rejects an empty range as well, so that no entry is the cause
 */
export async function tryPage<T>(
  kv: Lister,
  selector: Selector & { start: Key },
  limit: number,
): Promise<Page<T> | { error: unknown }> {
  try {
    return await kv.list<T>(selector, { limit });
  } catch (error) {
    // No key begins with this prefix, so KV gives an empty list if it answers at all.
    const prefix = [...selector.start, ""];
    const kvAnswers = !(error instanceof DeadlineError) &&
      await kv.list({ prefix }, { limit: 1 }).then(() => true, () => false);
    if (kvAnswers) return { error };
    throw error;
  }
}

/** The reason that is given for an unreadable entry if only the beginning of its key could be found. */
const KEY_FAULT = "KV cannot read its key, of which this is the beginning.";

/** An unreadable entry, and the key with which the caller goes on after the entry. */
interface EntryToSkip {
  record: UnreadableRecord;
  /** The first key that can come after the entry; `undefined` if the entry may be the last of the list. */
  keyAfter: Key | undefined;
}

/**
 * Finds the first unreadable entry at or after `start`. KV rejects exactly those ranges that have the entry, so a
 * binary search finds its key, character by character.
 * @returns `undefined` if no single entry makes KV reject the range
 */
export async function findUnreadable(
  kv: Lister,
  prefix: Key,
  start: Key,
): Promise<EntryToSkip | undefined> {
  const startText = start[prefix.length];
  /** Whether the unreadable entry comes before the end of a range; without an end, whether there is such an entry. */
  async function isBefore(endText: string | undefined): Promise<boolean> {
    // KV rejects a range that ends before it begins, so such a range is not read.
    if (typeof startText === "string" && endText !== undefined && endText <= startText) {
      return false;
    }
    const range = { prefix, start, ...endText !== undefined && { end: [...prefix, endText] } };
    return "error" in await tryPage(kv, range, 1);
  }

  const { text, textAfter, reason } = await findLastPart(isBefore);
  // Checks the key by one more read. If an earlier read has failed for another reason, the key is wrong.
  if (!await isBefore(textAfter)) return undefined;
  const keyAfter = textAfter === undefined ? undefined : [...prefix, textAfter];
  return { record: { key: [...prefix, text].map(String), reason }, keyAfter };
}

/** The last part of the key of an unreadable entry. */
interface LastPart {
  /** The text, or the beginning of the text if no more could be found. */
  text: string;
  /** The first text that a later entry can have as the last part of its key; `undefined` if no such text is known. */
  textAfter: string | undefined;
  /** Why the entry cannot be read, as a sentence. */
  reason: string;
}

/**
 * Finds the text that is the last part of an entry's key, character by character.
 * @param isBefore whether the entry comes before a text
 */
async function findLastPart(
  isBefore: (endText: string | undefined) => Promise<boolean>,
): Promise<LastPart> {
  let text = "";
  let textAfter: string | undefined;
  // The first text after a text is the same text with a further NUL character.
  while (!await isBefore(`${text}\0`)) {
    const code = await findCharacterCode((triedCode) =>
      isBefore(text + String.fromCharCode(triedCode))
    );
    if (code === END_OF_ASCII) return { text, textAfter, reason: KEY_FAULT };
    textAfter = text + String.fromCharCode(code + 1);
    text += String.fromCharCode(code);
  }
  return { text, textAfter: `${text}\0`, reason: VALUE_FAULT };
}
