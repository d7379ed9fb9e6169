/**
 * Lists the log of letters for operators: the letters to all people, or those of one kind, in one state, of one wave or
 * of some days, with the people's addresses. @module
 */
import type { LetterLogRequest, LoggedLetter } from "../../../shared/operator_schemas.ts";
import type { YieldToCalls } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
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
import { findItems } from "../outbox/mod.ts";
import {
  describeLetter,
  type LetterLogEntry,
  readLettersTo,
  stateOfLetter,
  type StoredLetter,
  wasRejected,
} from "./letter_log.ts";
import { findAddress, findPersonById } from "./records.ts";

/**
 * Selects the letters that an operator lists. `since` and `before` are date-times; for the next page, `before` is the
 * `momentAndId` at which the previous page ended.
 */
export type LetterSelection = LetterLogRequest & { limit: number };

/** An entry of the log, for operators. */
export interface PersonLetter extends LetterPosition {
  letter: LoggedLetter;
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
 * letter of the page two more, so a call reads about as much as a call that lists people. For a letter of the page that
 * is tried again, the log of its person is read as well. A letter whose person must be read to know the wave or the
 * state counts as two letters, because two more entries are read for it.
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
  const hits: Hit[] = [];
  let readCount = 0;
  let lastRead: string | undefined;
  const toPage = async (hasMore: boolean): Promise<LetterPage> => {
    const letters = await Promise.all(hits.map((hit) => toPersonLetter(kv, hit)));
    return { letters, ...hasMore && lastRead !== undefined && { next: lastRead } };
  };
  const leavesOut = [letter, state, wave].some((filter) => filter !== undefined);
  // If all letters fit, one letter more than the page has is read, to know whether there is a next page.
  const readAtOnce = leavesOut ? READ_AT_ONCE : Math.min(limit + 1, PAGE_SIZE);
  for await (const page of readNewestLetters(kv, before, readAtOnce)) {
    const inPeriod = page.filter(({ momentAndId }) => momentAndId >= since);
    for (const { momentAndId, reads, hit } of await findFitting(kv, inPeriod, selection)) {
      const isPageFull = hit !== undefined && hits.length === limit;
      if (isPageFull || readCount + reads > MAX_READ) return await toPage(true);
      readCount += reads;
      lastRead = momentAndId;
      if (hit) hits.push(hit);
    }
    if (inPeriod.length < page.length) break;
    await yieldToCalls();
  }
  return await toPage(false);
}

/** A letter that fits the selection. */
interface Hit extends LetterLogEntry {
  /** The record of the person; absent if it was not needed, if the person has left or if it cannot be read. */
  record?: SignUpRecord | undefined;
}

/** A letter that was read. */
interface ReadLetter {
  momentAndId: string;
  /** How many letters this one counts as; see {@linkcode MAX_READ}. */
  reads: number;
  /** The letter, if it fits the selection. */
  hit?: Hit;
}

/**
 * Finds out which letters fit a selection. The letters of a wave are the invitations to the people of this wave. The
 * state of a rejected letter depends on the record of the person.
 */
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
      wave !== undefined && letter.letter !== "invitation" ||
      !mayBeInState(letter, state)
    ) return { momentAndId, reads: 1 };
    if (wave === undefined && !wasRejected(letter)) {
      return { momentAndId, reads: 1, hit: { ...position, letter } };
    }
    const record = (await findPersonById(kv, recordId))?.record;
    const fits = (wave === undefined || record?.wave === wave) && isInState(letter, record, state);
    return { momentAndId, reads: 2, ...fits && { hit: { ...position, letter, record } } };
  }));
}

/** A state by which an operator chooses letters. */
type StateFilter = LetterLogRequest["state"];

/** Whether a letter can be in a state, as far as this is known without the record of the person. */
const mayBeInState = (letter: StoredLetter, state: StateFilter): boolean =>
  wasRejected(letter)
    ? state === undefined || ["refused", "retried", "rejected"].includes(state)
    : isInState(letter, undefined, state);

/** Whether a letter is in a state. Two states stand for two others each (`LETTER_STATE_FILTERS`). */
function isInState(
  letter: StoredLetter,
  record: SignUpRecord | undefined,
  state: StateFilter,
): boolean {
  if (state === undefined) return true;
  if (state === "reported") return letter.report !== undefined;
  if (state === "rejected") return wasRejected(letter);
  return stateOfLetter(letter, record) === state;
}

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

/** Describes a letter, with the present address of the person. */
async function toPersonLetter(kv: Kv, { letter, record, ...position }: Hit): Promise<PersonLetter> {
  const isRetried = stateOfLetter(letter, record) === "retried";
  const [email, items, log] = await Promise.all([
    findAddress(kv, position.recordId),
    isRetried ? findItems(kv, record?.outbox) : [],
    isRetried ? readLettersTo(kv, position.recordId) : [],
  ]);
  const described = describeLetter(letter, record, { items, log });
  return { ...position, letter: described, ...email !== undefined && { email } };
}
