/**
 * New letters, which are due at once. Those of a commit share an entry, so that a letter costs a sign-up little; before
 * one of them is looked at or changed, the entry is unpacked: its letters become items. @module
 */
import type { LetterKind, OutboxItem } from "../../waitlist/mod.ts";
import { Commit, dueKey, type Entry, type Kv, NEW_LETTERS, newLettersKey } from "../kv/mod.ts";
import { outboxKey, readEntries, readMany, retry } from "../kv/mod.ts";

/** What differs among new letters; the moment is in milliseconds since 1970. */
type NewLetter = [email: string, recordId: string, letter: LetterKind, putAt: number];

/** The most letters in an entry: those to the longest addresses take 33 KB. */
const MOST_TOGETHER = 100;

/** The most entries that are unpacked at once, each in a commit of its own. */
const UNPACKED_AT_ONCE = 10;

/** A letter's id is the id of its entry and, in so many characters, its number there. */
const NUMBER_LENGTH = 2;

const letterId = (entryId: string, number: number): string =>
  entryId + number.toString(36).padStart(NUMBER_LENGTH, "0");

/** How all ids begin, so that new items are neighbours in the engine's file. */
const MOMENT_LENGTH = 9;

/** @param at milliseconds since 1970 */
export const momentText = (at: number): string => at.toString(36).padStart(MOMENT_LENGTH, "0");

export function setItem(commit: Commit, id: string, item: OutboxItem): void {
  commit.set(outboxKey(id), item).set(dueKey(item.queue, item.dueAt, id), true);
}

/** Collects the new letters of a commit. @param newId makes an id, which begins with a moment */
export function collectNewLetters(newId: (at: number) => string) {
  const entries: { id: string; letters: NewLetter[] }[] = [];
  return {
    /** Gives the letter's id. */
    put(letter: NewLetter): string {
      let entry = entries.at(-1);
      if (!entry || entry.letters.length === MOST_TOGETHER) {
        entries.push(entry = { id: newId(letter[3]).slice(0, -NUMBER_LENGTH), letters: [] });
      }
      return letterId(entry.id, entry.letters.push(letter) - 1);
    },
    /** A letter that is alone is an item at once. */
    write(commit: Commit): void {
      for (const { id, letters } of entries) {
        if (letters.length > 1) commit.set(newLettersKey(id), letters);
        else setItems(commit, id, letters);
      }
    },
  };
}

function setItems(commit: Commit, entryId: string, letters: NewLetter[]): void {
  for (const [number, [email, recordId, letter, putAt]] of letters.entries()) {
    const item = { email, recordId, message: { letter }, putAt, dueAt: putAt, tries: 0 };
    setItem(commit, letterId(entryId, number), { ...item, queue: "letters" });
  }
}

/**
 * Unpacks the oldest entries, until they had `limit` letters, and leaves out what cannot be read.
 * @param options.from the moment of the first entry, in milliseconds since 1970
 * @param options.email unpacks only entries with a letter to this address
 */
export async function unpackOldest(
  kv: Kv,
  { limit = Infinity, from = 0, email }: { limit?: number; from?: number; email?: string },
): Promise<void> {
  const batchSize = Math.min(Math.ceil(limit / MOST_TOGETHER), UNPACKED_AT_ONCE);
  const selector = { ...NEW_LETTERS, from: momentText(from), batchSize };
  for await (const { entries } of readEntries<NewLetter[]>(kv, selector)) {
    const wanted = entries.filter(({ value }) => !email || value.some(([to]) => to === email));
    await Promise.all(wanted.map((entry) => unpack(kv, entry)));
    limit -= wanted.reduce((sum, { value }) => sum + value.length, 0);
    if (limit <= 0) return;
  }
}

/** Unpacks the entries of letters, if any; removes one that cannot be read, as nobody can send its letters. */
export async function unpackLetters(kv: Kv, ids: string[]): Promise<void> {
  const entryIds = new Set(ids.map((id) => id.slice(0, -NUMBER_LENGTH)));
  const keys = [...entryIds].map(newLettersKey);
  for (const [index, entry] of (await readMany<NewLetter[]>(kv, keys)).entries()) {
    if (!entry) await kv.commit(new Commit().delete(keys[index]!));
    else if (entry.value) await unpack(kv, entry);
  }
}

/** Changes nothing where another process has unpacked the entry meanwhile. */
async function unpack(kv: Kv, { key, value, version }: Entry<NewLetter[]>): Promise<void> {
  const commit = new Commit().check({ key, version }).delete(key);
  setItems(commit, String(key[1]), value);
  await retry(() => kv.commit(commit));
}

/** The moment of the first entry, in milliseconds since 1970; `Infinity` where there is none. */
export async function readFirstMoment(kv: Kv): Promise<number> {
  for await (const { entries: [entry] } of readEntries(kv, { ...NEW_LETTERS, batchSize: 1 })) {
    if (entry) return parseInt(String(entry.key[1]).slice(0, MOMENT_LENGTH), 36);
  }
  return Infinity;
}
