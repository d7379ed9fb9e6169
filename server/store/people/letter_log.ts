/**
 * The log of letters: for each letter that the mail server took or refused, what became of it. An entry is written in
 * the commit of the outcome, so a sign-up writes none. It names the person by the record's id and holds no address;
 * the commit that removes the person removes the entries as well. `../expiry/sweep.ts` removes old entries.
 * @module
 */
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry, LoggedLetter } from "../../../shared/operator_schemas.ts";
import { DAY } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addressesOf,
  checksFor,
  Commit,
  commitChange,
  type EntryBatch,
  type Key,
  type Kv,
  LETTER_LOGS,
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
  readOne,
  readPage,
  RESTORE,
  signUpKey,
  validate,
} from "../kv/mod.ts";

/** How long an entry is kept, in milliseconds. */
export const LETTER_LOG_MS = 90 * DAY;

/** What became of a letter to a person. The state follows from the other members. */
export type StoredLetter = Omit<LoggedLetter, "state">;

/** An entry of the log with its position, a text of the form `<moment> <id of the item in the outbox>`. */
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

/**
 * Gives the position of a letter in the log.
 * @param putAt when the letter was put into the outbox, in milliseconds since 1970
 */
export const placeInLog = (putAt: number, itemId: string): string =>
  `${new Date(putAt).toISOString()} ${itemId}`;

/**
 * How many letters of one person are read at most. The letter limits allow fewer letters in the time for which the log
 * is kept.
 */
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

/**
 * How many entries of one person a commit removes at most. Each entry has two keys, which have 412 bytes together at
 * most, and the keys of a commit have 80,000 bytes at most.
 */
const REMOVED_AT_ONCE = 150;

/**
 * Prepares the removal of all entries about people who leave. If a person has more entries than the commit that removes
 * the person has room for, this function removes the oldest of them itself, before that commit.
 * @returns the keys that the commit must delete
 */
export async function prepareLetterRemoval(kv: Kv, recordIds: string[]): Promise<Key[]> {
  const keys = await Promise.all(recordIds.map((id) => removeAllButNewest(kv, id)));
  return keys.flat();
}

/** Removes the oldest entries of a person until the others fit into one commit. @returns the keys of the others */
async function removeAllButNewest(kv: Kv, recordId: string): Promise<Key[]> {
  for (;;) {
    const limit = REMOVED_AT_ONCE + 1;
    const entries = await readPage(kv, loggedLettersSelector(recordId), { limit });
    const keys = entries.slice(0, REMOVED_AT_ONCE)
      .flatMap(({ key }) => [key, letterLogKey(String(key[2]), recordId)]);
    if (entries.length < limit) return keys;
    const commit = new Commit();
    for (const key of keys) commit.delete(key);
    await kv.commit(commit);
  }
}

/** How many characters a provider's id must have at least to be searched in the answers of the mail server. */
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

/** Reads the logs of all people, for a backup. */
export async function* readLetterLog(kv: Kv): AsyncGenerator<EntryBatch<StoredLetter>> {
  for await (const page of pages<StoredLetter>(kv, LETTER_LOGS)) {
    yield validate(page, undefined);
  }
}

/** How many letters one commit restores at most. */
const RESTORED_AT_ONCE = 100;

/**
 * Stores the letters of a backup whose people are on the list and that are not too old. A letter that is in the log
 * already stays as it is.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.audit the audit entry of the restore
 * @returns the number of letters that were stored
 */
export async function restoreLetterLog(
  kv: Kv,
  lines: LineOf<"letter">[],
  { now, audit }: { now: number; audit: AuditEntry | undefined },
): Promise<number> {
  const oldest = new Date(now - LETTER_LOG_MS).toISOString();
  const recent = lines.filter(({ letter }) => letter.putAt >= oldest);
  // Each commit checks a record for each letter at most, and the entry of the restore.
  const size = Math.min(RESTORED_AT_ONCE, checksFor(kv, 1));
  let stored = 0;
  for (let from = 0; from < recent.length; from += size) {
    stored += await restoreLetters(kv, recent.slice(from, from + size), audit);
  }
  return stored;
}

/** Stores letters of a backup in one commit. @returns the number of letters that were stored */
function restoreLetters(
  kv: Kv,
  lines: LineOf<"letter">[],
  audit: AuditEntry | undefined,
): Promise<number> {
  const recordIds = [...new Set(lines.map(({ recordId }) => recordId))];
  const letters = lines.map(({ recordId, itemId, letter }) => {
    return { recordId, placed: { momentAndId: `${letter.putAt} ${itemId}`, letter } };
  });
  const keys = letters.map(({ recordId, placed }) => loggedLetterKey(recordId, placed.momentAndId));
  return commitChange<number>(kv, async () => {
    const emails = await Promise.all(recordIds.map((id) => findAddress(kv, id)));
    const [restore, records, known] = await Promise.all([
      readOne(kv, RESTORE),
      readMany<SignUpRecord>(kv, emails.filter((email) => email !== undefined).map(signUpKey)),
      readMany<StoredLetter>(kv, keys),
    ]);
    const recordOf = new Map(
      records.flatMap((entry) => entry?.value ? [[entry.value.id, entry] as const] : []),
    );
    const absent = letters.filter(({ recordId }, index) =>
      recordOf.has(recordId) && known[index]?.version === null
    );
    if (absent.length === 0) return { result: () => 0 };
    const commit = setAuditEntry(new Commit().check(restore), audit);
    // Checks the records, so that no letter to a person who leaves meanwhile is stored.
    for (const id of new Set(absent.map(({ recordId }) => recordId))) {
      commit.check(recordOf.get(id)!);
    }
    for (const { recordId, placed } of absent) setLoggedLetter(commit, recordId, placed);
    return { commit, result: () => absent.length };
  });
}

async function findAddress(kv: Kv, recordId: string): Promise<string | undefined> {
  return addressesOf(await readPage(kv, personIdSelector(recordId), { limit: 1 }))[0];
}

/** Selects, among some keys of the log, the keys of the entries that are too old. @param oldest a date-time */
export function oldLetterKeys(keys: Key[], oldest: string): Key[] {
  return keys.filter(([, momentAndId = ""]) => String(momentAndId) < oldest)
    .flatMap((key) => [key, loggedLetterKeyOf(key)]);
}
