/**
 * Lists the log of letters for operators: the letters to all people, or those of one kind, in one state, of one wave or
 * of some days, with the people's addresses. @module
 */
import type { LetterLogRequest } from "../../../shared/operator_schemas.ts";
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
import { findAddress, findPersonById } from "./records.ts";

/**
 * Selects the letters that an operator lists. `since` and `before` are date-times; for the next page, `before` is the
 * `momentAndId` at which the previous page ended.
 */
export type LetterSelection = LetterLogRequest & { limit: number };

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
 * letter of the page two more, so a call reads about as much as a call that lists people. A letter whose person must be
 * read to know the wave counts as two letters, because two more entries are read for it.
 */
const MAX_READ = 1_500;

/** How many letters are read at once to find those that fit a selection. Sign-ups that arrive meanwhile wait. */
const READ_AT_ONCE = 100;

/** A text that sorts after every `momentAndId`. */
const AFTER_ALL = "~";

/** Lists letters, the newest first, with the present addresses of the people. */
export async function listLetters(
  { kv, yieldToCalls }: { kv: Kv; yieldToCalls: YieldToCalls },
  selection: LetterSelection,
): Promise<LetterPage> {
  const { before, since = "", limit, letter, state, wave } = selection;
  const entries: LetterLogEntry[] = [];
  let readCount = 0;
  let lastRead: string | undefined;
  const toPage = async (hasMore: boolean): Promise<LetterPage> => {
    const letters = await Promise.all(entries.map((entry) => addAddress(kv, entry)));
    return { letters, ...hasMore && lastRead !== undefined && { next: lastRead } };
  };
  const leavesOut = [letter, state, wave].some((filter) => filter !== undefined);
  // If all letters fit, one letter more than the page has is read, to know whether there is a next page.
  const readAtOnce = leavesOut ? READ_AT_ONCE : Math.min(limit + 1, PAGE_SIZE);
  for await (const page of readNewestLetters(kv, before, readAtOnce)) {
    const inPeriod = page.filter(({ momentAndId }) => momentAndId >= since);
    for (const { momentAndId, reads, hit } of await findFitting(kv, inPeriod, selection)) {
      const isPageFull = hit !== undefined && entries.length === limit;
      if (isPageFull || readCount + reads > MAX_READ) return await toPage(true);
      readCount += reads;
      lastRead = momentAndId;
      if (hit) entries.push(hit);
    }
    if (inPeriod.length < page.length) break;
    await yieldToCalls();
  }
  return await toPage(false);
}

/** A letter that was read. */
interface ReadLetter {
  momentAndId: string;
  /** How many letters this one counts as; see {@linkcode MAX_READ}. */
  reads: number;
  /** The letter, if it fits the selection. */
  hit?: LetterLogEntry;
}

/** Finds out which letters fit a selection. The letters of a wave are the invitations to the people of this wave. */
async function findFitting(
  kv: Kv,
  letters: PossibleLetter[],
  { letter: kind, state, wave }: LetterSelection,
): Promise<ReadLetter[]> {
  return await Promise.all(letters.map(async ({ letter, ...position }): Promise<ReadLetter> => {
    const { momentAndId, recordId } = position;
    if (
      letter === undefined ||
      kind !== undefined && letter.letter !== kind ||
      state !== undefined && !isInState(letter, state) ||
      wave !== undefined && letter.letter !== "invitation"
    ) return { momentAndId, reads: 1 };
    const hit = { ...position, letter };
    if (wave === undefined) return { momentAndId, reads: 1, hit };
    const person = await findPersonById(kv, recordId);
    return { momentAndId, reads: 2, ...person?.record.wave === wave && { hit } };
  }));
}

/** Whether a letter is in a state. All letters with a report of the mail provider are in the state `reported`. */
const isInState = (letter: StoredLetter, state: NonNullable<LetterLogRequest["state"]>): boolean =>
  state === "reported" ? letter.report !== undefined : stateOfLetter(letter) === state;

/** A letter of the log; `letter` is `undefined` if it was removed between two reads. */
type PossibleLetter = LetterPosition & { letter: StoredLetter | undefined };

/**
 * Reads the letters to all people, the newest first.
 * @param before the `momentAndId` before which reading begins
 */
async function* readNewestLetters(
  kv: Kv,
  before = AFTER_ALL,
  limit: number,
): AsyncGenerator<PossibleLetter[]> {
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
