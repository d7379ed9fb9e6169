/**
 * The log of letters: for each letter that the mail server took or refused, what became of it. An entry is written in
 * the commit of the outcome, so a sign-up writes none. It names the person by the record's id and holds no address;
 * the commit that removes the person removes the entries as well. `../expiry/sweep.ts` removes old entries.
 * @module
 */
import type { LoggedLetter } from "../../../shared/operator_schemas.ts";
import { DAY } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  addressesOf,
  type Commit,
  type Key,
  type Kv,
  letterLogKey,
  letterLogSelector,
  loggedLetterKey,
  loggedLetterKeyOf,
  loggedLettersSelector,
  PAGE_SIZE,
  pages,
  personIdSelector,
  readable,
  readMany,
  readPage,
} from "../kv/mod.ts";

/** How long an entry is kept, in milliseconds. */
export const LETTER_LOG_MS = 90 * DAY;

/** What became of a letter to a person. The state follows from the other members. */
export type StoredLetter = Omit<LoggedLetter, "state">;

/** An entry of the log, and its position: the moment of the letter, a space and the id of its item in the outbox. */
interface PlacedLetter {
  momentAndId: string;
  letter: StoredLetter;
}

/** An entry of the log of all people. */
export interface PersonLetter extends PlacedLetter {
  recordId: string;
  /** The present address of the person; absent if the person has left since the entry was read. */
  email?: string;
}

/** Adds to a commit the entry of a letter. A later outcome of the same letter replaces the entry. */
export function setLoggedLetter(
  commit: Commit,
  recordId: string,
  { momentAndId, letter }: PlacedLetter,
): void {
  commit.set(loggedLetterKey(recordId, momentAndId), letter)
    .set(letterLogKey(momentAndId, recordId), true);
}

/** Removes the entry of a letter that was refused and now waits again. */
export function removeLoggedLetter(commit: Commit, recordId: string, momentAndId: string): void {
  commit.delete(loggedLetterKey(recordId, momentAndId))
    .delete(letterLogKey(momentAndId, recordId));
}

/** Gives the position of a letter in the log. @param putAt when it was put in, in milliseconds since 1970 */
export const placeInLog = (putAt: number, itemId: string): string =>
  `${new Date(putAt).toISOString()} ${itemId}`;

/** The most letters that are read of one person. The letter limits allow fewer letters in the time of the log. */
const MAX_LETTERS = 500;

async function readPlacedLetters(kv: Kv, recordId: string): Promise<PlacedLetter[]> {
  const selector = loggedLettersSelector(recordId);
  const entries = await readPage<StoredLetter>(kv, selector, { limit: MAX_LETTERS, reverse: true });
  return entries.flatMap((entry) => {
    const letter = readable(entry)?.value;
    return letter ? [{ momentAndId: String(entry.key[2]), letter }] : [];
  });
}

/** Reads the log of the letters to a person, the newest letter first. */
export async function readLettersTo(kv: Kv, recordId: string): Promise<StoredLetter[]> {
  return (await readPlacedLetters(kv, recordId)).map(({ letter }) => letter);
}

/** Finds the keys of all entries about some people. */
export async function findLetterLogKeys(kv: Kv, recordIds: string[]): Promise<Key[]> {
  const logs = await Promise.all(
    recordIds.map((id) => readPage(kv, loggedLettersSelector(id), { limit: MAX_LETTERS })),
  );
  return logs.flat().flatMap(({ key }) => [key, letterLogKey(String(key[2]), String(key[1]))]);
}

/** The fewest characters of a provider's id that identify a letter within an answer of the mail server. */
const MIN_ID_LENGTH = 8;

/**
 * Finds the letter that a report is about: by the provider's id, which is the `Message-ID` or a part of the mail
 * server's answer, and otherwise the last letter that was taken before the report.
 */
export async function findReportedLetter(
  kv: Kv,
  { id }: Pick<SignUpRecord, "id">,
  { messageId = "", at }: { messageId?: string | undefined; at: string },
): Promise<PlacedLetter | undefined> {
  const taken = (await readPlacedLetters(kv, id)).filter(({ letter }) => letter.takenAt);
  const plainId = messageId.replace(/^<|>$/g, "");
  const isNamed = ({ letter }: PlacedLetter) =>
    letter.messageId === `<${plainId}>` || letter.answer?.includes(plainId);
  return plainId.length >= MIN_ID_LENGTH && taken.find(isNamed) ||
    taken.find(({ letter }) => letter.takenAt! <= at);
}

/** Selects the letters that an operator lists. */
export interface LetterSelection {
  /** The position of the last letter of the page before; absent on the first page. */
  before?: string | undefined;
  limit: number;
}

/** A position after every letter. */
const END = "~";

/** Lists the letters to all people, the newest letter first, with the present addresses of the people. */
export async function listLetters(
  kv: Kv,
  { before = END, limit }: LetterSelection,
): Promise<PersonLetter[]> {
  const found: PersonLetter[] = [];
  const newestFirst = { reverse: true, limit: Math.min(limit, PAGE_SIZE) };
  for await (const page of pages(kv, letterLogSelector(before), newestFirst)) {
    const keys = page.map(({ key }) => loggedLetterKeyOf(key));
    const entries = await readMany<StoredLetter>(kv, keys);
    const letters = keys.flatMap(([, recordId, momentAndId], index) => {
      const letter = entries[index]?.value;
      return letter
        ? [{ recordId: String(recordId), momentAndId: String(momentAndId), letter }]
        : [];
    });
    const emails = await Promise.all(letters.map(({ recordId }) => findAddress(kv, recordId)));
    for (const [index, letter] of letters.entries()) {
      const email = emails[index];
      found.push({ ...letter, ...email !== undefined && { email } });
    }
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function findAddress(kv: Kv, recordId: string): Promise<string | undefined> {
  return addressesOf(await readPage(kv, personIdSelector(recordId), { limit: 1 }))[0];
}

/** Gives the keys of the entries among some keys of the log that are too old. @param oldest a date-time */
export function oldLetterKeys(keys: Key[], oldest: string): Key[] {
  return keys.filter(([, momentAndId = ""]) => String(momentAndId) < oldest)
    .flatMap((key) => [key, loggedLetterKeyOf(key)]);
}
