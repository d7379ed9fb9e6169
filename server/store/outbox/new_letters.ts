/**
 * The compact form of new letters, which are due at once. The new letters of a commit share one entry, so that a letter
 * makes a sign-up only a little slower. Before a letter is read or changed, its entry is unpacked: each letter of the
 * entry becomes an item of the outbox. @module
 */
import type { LetterKind, WaitingItem } from "../../waitlist/mod.ts";
import {
  Commit,
  dueKey,
  type Entry,
  type Kv,
  nameOf,
  NEW_LETTERS,
  newLettersKey,
  outboxKey,
  readEntries,
  readMany,
  retry,
} from "../kv/mod.ts";

/**
 * The values in which new letters differ. `putAt`, the moment of the letter, is in milliseconds since 1970. A letter is
 * stored as a tuple, because an object with the names of its members would take more bytes of the value.
 */
type NewLetter = [email: string, recordId: string, kind: LetterKind, putAt: number];

/**
 * How many letters an entry has at most. With the longest addresses, this number of letters takes 33 KB of the 64 KB of
 * a value.
 */
const MAX_LETTERS_IN_ENTRY = 100;

/** How many entries are read and unpacked at the same time at most. Each entry is unpacked in a commit of its own. */
const UNPACKED_AT_ONCE = 10;

/**
 * How many characters the number of a letter in its entry has. The id of a letter is the id of the entry and this
 * number.
 */
const NUMBER_LENGTH = 2;

const letterIdOf = (entryId: string, number: number): string =>
  entryId + number.toString(36).padStart(NUMBER_LENGTH, "0");

/** Gives the id of a letter's entry: the id of the letter without its number. */
const entryIdOf = (letterId: string): string => letterId.slice(0, -NUMBER_LENGTH);

/**
 * How many characters the moment has with which each id begins. Ids begin with a moment so that new items are
 * neighbours in the engine's file.
 */
const MOMENT_LENGTH = 9;

/** Writes a moment as the text with which an id begins. @param at in milliseconds since 1970 */
export const momentText = (at: number): string => at.toString(36).padStart(MOMENT_LENGTH, "0");

/** Adds an item, and its position in its queue, to a commit. */
export function setItem(commit: Commit, id: string, item: WaitingItem["item"]): void {
  commit.set(outboxKey(id), item).set(dueKey(item.queue, item.dueAt, id), true);
}

/** Collects the new letters of a commit. */
interface NewLetters {
  /** Adds a letter. @returns the id of the letter */
  put: (letter: NewLetter) => string;
  /** Adds the letters to the commit. A letter that shares its entry with no other letter becomes an item at once. */
  write: (commit: Commit) => void;
}

/** Begins to collect the new letters of a commit. @param newId makes an id that begins with a moment */
export function collectNewLetters(newId: (at: number) => string): NewLetters {
  const entries: { id: string; letters: NewLetter[] }[] = [];
  return {
    put(letter) {
      let entry = entries.at(-1);
      if (!entry || entry.letters.length === MAX_LETTERS_IN_ENTRY) {
        const [_email, _recordId, _kind, putAt] = letter;
        // The id of the entry is a new id without its last characters. The id of a letter has the letter's number in
        // place of these characters.
        entry = { id: entryIdOf(newId(putAt)), letters: [] };
        entries.push(entry);
      }
      const number = entry.letters.push(letter) - 1;
      return letterIdOf(entry.id, number);
    },
    write(commit) {
      for (const { id, letters } of entries) {
        if (letters.length > 1) commit.set(newLettersKey(id), letters);
        else setItems(commit, id, letters);
      }
    },
  };
}

/** Adds the letters of an entry to a commit, each as an item of the queue `letters`. */
function setItems(commit: Commit, entryId: string, letters: NewLetter[]): void {
  for (const { id, item } of itemsOf(entryId, letters)) setItem(commit, id, item);
}

/** Gives the items that the letters of an entry become. */
function itemsOf(entryId: string, letters: NewLetter[]): WaitingItem[] {
  return letters.map(([email, recordId, kind, putAt], number) => {
    const item = { email, recordId, message: { letter: kind }, putAt, dueAt: putAt, tries: 0 };
    return { id: letterIdOf(entryId, number), item: { ...item, queue: "letters" } };
  });
}

/**
 * Reads the letters with these ids that are not unpacked yet, and changes nothing. A letter that is unpacked, gone or
 * cannot be read is left out.
 */
export async function readNewLetters(kv: Kv, ids: string[]): Promise<WaitingItem[]> {
  const wantedIds = new Set(ids);
  const entryIds = [...new Set(ids.map(entryIdOf))];
  const entries = await readMany<NewLetter[]>(kv, entryIds.map(newLettersKey));
  return entries.flatMap((entry, index) =>
    itemsOf(entryIds[index]!, entry?.value ?? []).filter(({ id }) => wantedIds.has(id))
  );
}

/**
 * Unpacks the oldest entries until at least `limit` letters are unpacked. An entry that cannot be read stays unchanged.
 * @param options.since leaves out entries of earlier moments, in milliseconds since 1970
 * @param options.email unpacks only entries with a letter to this address
 */
export async function unpackOldest(
  kv: Kv,
  { limit = Infinity, since = 0, email }: { limit?: number; since?: number; email?: string },
): Promise<void> {
  const entriesAtOnce = Math.min(Math.ceil(limit / MAX_LETTERS_IN_ENTRY), UNPACKED_AT_ONCE);
  const selector = { ...NEW_LETTERS, start: momentText(since), limit: entriesAtOnce };
  let remainingCount = limit;
  for await (const { entries } of readEntries<NewLetter[]>(kv, selector)) {
    const entriesToUnpack = email === undefined
      ? entries
      : entries.filter(({ value: letters }) => letters.some(([address]) => address === email));
    await Promise.all(entriesToUnpack.map((entry) => unpackEntry(kv, entry)));
    for (const { value: letters } of entriesToUnpack) remainingCount -= letters.length;
    if (remainingCount <= 0) return;
  }
}

/**
 * Unpacks the entries of the letters with these ids. Removes an entry that cannot be read, because its letters are lost
 * anyway.
 */
export async function unpackLetters(kv: Kv, ids: string[]): Promise<void> {
  const entryIds = new Set(ids.map(entryIdOf));
  const keys = [...entryIds].map(newLettersKey);
  for (const [index, entry] of (await readMany<NewLetter[]>(kv, keys)).entries()) {
    if (!entry) await kv.commit(new Commit().delete(keys[index]!));
    else if (entry.value) await unpackEntry(kv, entry);
  }
}

/** Unpacks an entry. Changes nothing if another process has unpacked the entry meanwhile. */
async function unpackEntry(kv: Kv, { key, value, version }: Entry<NewLetter[]>): Promise<void> {
  const commit = new Commit().check({ key, version }).delete(key);
  setItems(commit, nameOf(key), value);
  await retry(() => kv.commit(commit));
}

/** Reads the moment of the first entry of new letters, in milliseconds since 1970; `Infinity` if there is no entry. */
export async function readFirstMoment(kv: Kv): Promise<number> {
  for await (const { entries: [entry] } of readEntries(kv, { ...NEW_LETTERS, limit: 1 })) {
    if (entry) return parseInt(nameOf(entry.key).slice(0, MOMENT_LENGTH), 36);
  }
  return Infinity;
}
