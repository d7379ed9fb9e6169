/** Lists the log of letters for operators: the letters to all people, with the people's addresses. @module */
import {
  type Kv,
  letterByMomentOf,
  letterByPersonKey,
  lettersBeforeSelector,
  PAGE_SIZE,
  pages,
  readMany,
} from "../kv/mod.ts";
import type { LetterLogEntry, StoredLetter } from "./letter_log.ts";
import { findAddress } from "./records.ts";

/** Selects the letters that an operator lists. */
export interface LetterSelection {
  /** The `momentAndId` of the last letter on the previous page; absent for the first page. */
  before?: string | undefined;
  limit: number;
}

/** An entry of the log, for operators. */
export interface PersonLetter extends LetterLogEntry {
  /** The present address of the person; absent if the person has left since the entry was read. */
  email?: string;
}

/** A text that sorts after every `momentAndId`. */
const AFTER_ALL = "~";

/** Lists the letters to all people, the newest letter first, with the present addresses of the people. */
export async function listLetters(
  kv: Kv,
  { before = AFTER_ALL, limit }: LetterSelection,
): Promise<PersonLetter[]> {
  const letters: PersonLetter[] = [];
  const newestFirst = { reverse: true, limit: Math.min(limit, PAGE_SIZE) };
  for await (const page of pages(kv, lettersBeforeSelector(before), newestFirst)) {
    const positions = page.map(({ key }) => letterByMomentOf(key));
    const entries = await readMany<StoredLetter>(kv, positions.map(letterByPersonKey));
    const logEntries = positions.flatMap((position, index) => {
      const letter = entries[index]?.value;
      return letter ? [{ ...position, letter }] : [];
    });
    letters.push(...await Promise.all(logEntries.map((entry) => addAddress(kv, entry))));
    if (letters.length >= limit) break;
  }
  return letters.slice(0, limit);
}

/** Adds the present address of the person to an entry of the log. */
async function addAddress(kv: Kv, entry: LetterLogEntry): Promise<PersonLetter> {
  const email = await findAddress(kv, entry.recordId);
  return email === undefined ? entry : { ...entry, email };
}
