/**
 * The letters of a commit that are due at once. They are one entry, so that a letter costs a sign-up little; before one
 * of them is looked at or changed, they become items of their own. @module
 */
import type { LetterKind, OutboxItem } from "../../waitlist/mod.ts";
import { Commit, dueKey, type Entry, type Kv, NEW_LETTERS, newLettersKey } from "../kv/mod.ts";
import { outboxKey, readEntries, readMany, retry } from "../kv/mod.ts";

/** What differs among new letters; the moment is in milliseconds since 1970. */
type NewLetter = [email: string, recordId: string, letter: LetterKind, putAt: number];

/** The most letters in an entry: those to the longest addresses take 33 KB. */
const MOST_TOGETHER = 100;

/** How many characters at the end of a letter's id are its number in the entry, whose id are those before. */
const NUMBER_LENGTH = 2;

const letterId = (entryId: string, number: number): string =>
  entryId + number.toString(36).padStart(NUMBER_LENGTH, "0");

/** When the letters of an entry are due, as its key tells; see `createOutboxChanges()`. */
export const momentOf = ({ key }: Pick<Entry, "key">): number =>
  parseInt(String(key[1]).slice(0, 9), 36);

export function setItem(commit: Commit, id: string, item: OutboxItem): void {
  commit.set(outboxKey(id), item).set(dueKey(item.queue, item.dueAt, id), true);
}

/** Collects the letters that a commit puts in. @param newId makes an id that begins with a moment */
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

/** Makes items of the oldest letters: of as many as wanted, or a few more; leaves out what cannot be read. */
export async function unpackOldest(kv: Kv, wanted: number): Promise<void> {
  for await (const { entries } of readEntries<NewLetter[]>(kv, { ...NEW_LETTERS, batchSize: 10 })) {
    for (const entry of entries) {
      if (wanted <= 0) return;
      await unpack(kv, entry);
      wanted -= entry.value.length;
    }
  }
}

/** Makes items of letters whose ids are given, if they are new ones. */
export async function unpackLetters(kv: Kv, ids: string[]): Promise<void> {
  const entryIds = new Set(ids.map((id) => id.slice(0, -NUMBER_LENGTH)));
  for (const entry of await readMany<NewLetter[]>(kv, [...entryIds].map(newLettersKey))) {
    if (entry?.value) await unpack(kv, entry);
  }
}

/** Does nothing where another process has done so meanwhile. */
async function unpack(kv: Kv, { key, value, version }: Entry<NewLetter[]>): Promise<void> {
  const commit = new Commit().check({ key, version }).delete(key);
  setItems(commit, String(key[1]), value);
  await retry(() => kv.commit(commit));
}
