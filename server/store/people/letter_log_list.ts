/**
 * Lists the log of letters for operators: the letters to all people, or those of one kind or in one state, with the
 * people's addresses. @module
 */
import type { ListedLetter } from "../../../shared/operator_schemas.ts";
import type { YieldToCalls } from "../../runtime/mod.ts";
import {
  type Kv,
  letterByMomentOf,
  letterByPersonKey,
  type LetterPosition,
  lettersBeforeSelector,
  PAGE_SIZE,
  pages,
  readMany,
} from "../kv/mod.ts";
import { type LetterLogEntry, stateOfLetter, type StoredLetter } from "./letter_log.ts";
import { findAddress } from "./records.ts";

/** Selects the letters that an operator lists. */
export interface LetterSelection {
  /** The kind of the letters; absent for all kinds. */
  letter?: ListedLetter["letter"] | undefined;
  /** The state of the letters; absent for all states. */
  state?: ListedLetter["state"] | undefined;
  /** The `momentAndId` at which the previous page ended; absent for the first page. */
  before?: string | undefined;
  limit: number;
}

/** An entry of the log, for operators. */
export interface PersonLetter extends LetterLogEntry {
  /** The present address of the person; absent if the person has left since the entry was read. */
  email?: string;
}

/** A page of the log, the newest letter first. */
export interface LetterPage {
  letters: PersonLetter[];
  /** The `momentAndId` of the last letter that was read; absent at the end of the log. */
  next?: string;
}

/**
 * How many letters are read at most to find the letters of a page. For each of them, two entries are read, and for a
 * letter of the page two more, so a call reads about as much as a call that lists people.
 */
const MAX_READ = 1_500;

/** How many letters are read at once to find those of a kind or in a state. Sign-ups that arrive meanwhile wait. */
const READ_AT_ONCE = 100;

/** A text that sorts after every `momentAndId`. */
const AFTER_ALL = "~";

/** Lists letters, the newest first, with the present addresses of the people. */
export async function listLetters(
  { kv, yieldToCalls }: { kv: Kv; yieldToCalls: YieldToCalls },
  { before, limit, letter: kind, state }: LetterSelection,
): Promise<LetterPage> {
  const entries: LetterLogEntry[] = [];
  let readCount = 0;
  let lastRead: string | undefined;
  const toPage = async (hasMore: boolean): Promise<LetterPage> => {
    const letters = await Promise.all(entries.map((entry) => addAddress(kv, entry)));
    return { letters, ...hasMore && lastRead !== undefined && { next: lastRead } };
  };
  const isWholeLog = kind === undefined && state === undefined;
  // Of the whole log, one letter more than the page has is read, to know whether there is a next page.
  const readAtOnce = isWholeLog ? Math.min(limit + 1, PAGE_SIZE) : READ_AT_ONCE;
  for await (const page of readNewestLetters(kv, before, readAtOnce)) {
    for (const { momentAndId, recordId, letter } of page) {
      const isHit = letter !== undefined &&
        (kind === undefined || letter.letter === kind) &&
        (state === undefined || stateOfLetter(letter) === state);
      const isPageFull = isHit && entries.length === limit;
      if (isPageFull || readCount === MAX_READ) return await toPage(true);
      readCount++;
      lastRead = momentAndId;
      if (isHit) entries.push({ momentAndId, recordId, letter });
    }
    await yieldToCalls();
  }
  return await toPage(false);
}

/**
 * Reads the letters to all people, the newest first. A letter is `undefined` if it was removed between two reads.
 * @param before the `momentAndId` before which reading begins
 */
async function* readNewestLetters(
  kv: Kv,
  before = AFTER_ALL,
  limit: number,
): AsyncGenerator<(LetterPosition & { letter: StoredLetter | undefined })[]> {
  for await (const page of pages(kv, lettersBeforeSelector(before), { reverse: true, limit })) {
    const positions = page.map(({ key }) => letterByMomentOf(key));
    const entries = await readMany<StoredLetter>(kv, positions.map(letterByPersonKey));
    yield positions.map((position, index) => {
      return { ...position, letter: entries[index]?.value ?? undefined };
    });
  }
}

/** Adds the present address of the person to an entry of the log. */
async function addAddress(kv: Kv, entry: LetterLogEntry): Promise<PersonLetter> {
  const email = await findAddress(kv, entry.recordId);
  return email === undefined ? entry : { ...entry, email };
}
