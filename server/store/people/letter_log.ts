/**
 * The log of letters: for each letter that the mail server took or refused, what became of it. This file writes, reads
 * and removes the letters to one person. An entry is written in the commit of the letter's outcome, and removed with
 * the person at the latest. `letter_log_list.ts` lists the letters to all people, `letter_log_backup.ts` backs them up
 * and restores them, and `../expiry/sweep.ts` removes old letters. @module
 */
import type { LoggedLetter } from "../../../shared/operator_schemas.ts";
import { DAY } from "../../runtime/mod.ts";
import type { SignUpRecord, WaitingItem } from "../../waitlist/mod.ts";
import {
  asReadable,
  Commit,
  type Key,
  type Kv,
  letterByMomentKey,
  letterByMomentOf,
  letterByPersonKey,
  letterByPersonOf,
  type LetterPosition,
  lettersOfPersonSelector,
  readPage,
} from "../kv/mod.ts";

/** How long a letter stays in the log, in milliseconds. */
export const LETTER_LOG_MS = 90 * DAY;

/** What became of a letter to a person, without what the person's record and the outbox say about the letter. */
export type StoredLetter = Omit<
  LoggedLetter,
  "state" | "nextTryAt" | "noNewTry" | "toFormerAddress"
>;

/** Whether a mail server has refused a letter. */
export const wasRejected = ({ report, takenAt }: StoredLetter): boolean => !report && !takenAt;

/**
 * Gives the state of a letter. A refused letter is `retried` if its refusal is not the last outcome of the letters of
 * its kind any more, because the record loses the outcome when a refused letter is put into the outbox again.
 * @param record the record of the person; absent if the person is not on the list or the record cannot be read
 */
export function stateOfLetter(
  { letter, putAt, report, takenAt }: StoredLetter,
  record: Pick<SignUpRecord, "lastLetters"> | undefined,
): LoggedLetter["state"] {
  if (report) return report.kind;
  if (takenAt) return "taken";
  return !record || record.lastLetters?.[letter]?.putAt === putAt ? "refused" : "retried";
}

/**
 * Describes a letter to operators. A letter to an earlier address is not tried again. If a letter was refused several
 * times, each of these tries has an entry in the log, and only the newest entry has the next try.
 * @param options.items the items of the person in the outbox
 * @param options.log the letters to the person in the log, the newest first
 */
export function describeLetter(
  letter: StoredLetter,
  record: Pick<SignUpRecord, "lastLetters" | "proof" | "corrections"> | undefined,
  { items, log }: { items: WaitingItem[]; log: StoredLetter[] },
): LoggedLetter {
  const state = stateOfLetter(letter, record);
  const isToFormerAddress = letter.putAt < (record?.corrections?.at(-1)?.at ?? "");
  const waitingItem = state === "retried" && !isToFormerAddress &&
    items.find(({ item: { message, queue } }) =>
      queue !== "refused" && "letter" in message && message.letter === letter.letter
    );
  const isNewest = log.find((each) => each.letter === letter.letter)?.putAt === letter.putAt;
  const nextTry = waitingItem && isNewest &&
    { nextTryAt: new Date(waitingItem.item.dueAt).toISOString() };
  const isOver = state === "retried" && !waitingItem && !hasLaterOutcome(letter, record);
  return {
    state,
    ...letter,
    ...nextTry,
    ...isOver && { noNewTry: true },
    ...isToFormerAddress && { toFormerAddress: true },
  };
}

/** Whether the record has the outcome of a later letter of the same kind to the same address. */
function hasLaterOutcome(
  { letter, putAt }: StoredLetter,
  { lastLetters, proof, corrections = [] }: Pick<
    SignUpRecord,
    "lastLetters" | "proof" | "corrections"
  > = {},
): boolean {
  // When the person confirms, the outcome of the confirmation letter moves from `lastLetters` to `proof`.
  const proofs = letter === "confirmation" ? [proof, ...corrections.map((each) => each.proof)] : [];
  const correctedAt = corrections.map(({ at }) => at).find((at) => at > putAt);
  return [lastLetters?.[letter], ...proofs].some((outcome) => {
    const laterPutAt = outcome?.putAt ?? "";
    return laterPutAt > putAt && (correctedAt === undefined || laterPutAt < correctedAt);
  });
}

/** An entry of the log. */
export interface LetterLogEntry extends LetterPosition {
  letter: StoredLetter;
}

/**
 * Gives the part of a letter's position that distinguishes the letter from the person's other letters.
 * @param putAt when the letter was put into the outbox, a date-time
 * @param itemId the id of the letter's item in the outbox
 */
export const momentAndIdOf = (putAt: string, itemId: string): string => `${putAt} ${itemId}`;

/** Gives the id of a letter's item from the text that {@linkcode momentAndIdOf} has made. */
export const itemIdOf = (momentAndId: string): string =>
  momentAndId.slice(momentAndId.indexOf(" ") + 1);

/** Gives the keys of a letter in the two tables of the log. */
const keysOfLetter = (position: LetterPosition): Key[] => [
  letterByPersonKey(position),
  letterByMomentKey(position),
];

/**
 * Adds a letter to the log, in a commit. A refused letter that an operator retries gets a further entry, because the
 * retry puts the letter into the outbox again. If the service itself sends a refused letter again, after it has paused
 * all letters, the new outcome replaces the entry.
 */
export function setLoggedLetter(commit: Commit, entry: LetterLogEntry): void {
  commit.set(letterByPersonKey(entry), entry.letter).set(letterByMomentKey(entry), true);
}

/** How many letters to one person are read at most. The letter limits allow fewer letters in `LETTER_LOG_MS`. */
const MAX_LETTERS = 500;

/** Reads the letters to a person with their positions in the log, the newest letter first. */
export async function readLogEntries(kv: Kv, recordId: string): Promise<LetterLogEntry[]> {
  const selector = lettersOfPersonSelector(recordId);
  const entries = await readPage<StoredLetter>(kv, selector, { limit: MAX_LETTERS, reverse: true });
  return entries.flatMap((entry) => {
    const letter = asReadable(entry)?.value;
    return letter ? [{ ...letterByPersonOf(entry.key), letter }] : [];
  });
}

/** Reads the letters to a person without their positions, the newest letter first. */
export async function readLettersTo(kv: Kv, recordId: string): Promise<StoredLetter[]> {
  return (await readLogEntries(kv, recordId)).map(({ letter }) => letter);
}

/**
 * How many letters to one person a commit removes at most. Each letter has two keys, which have 412 bytes together at
 * most, and the keys of a commit have 80,000 bytes at most.
 */
const REMOVED_AT_ONCE = 150;

/**
 * Begins to remove the logs of people who leave: removes the oldest letters of each log until the newest ones fit into
 * the commit that removes the people.
 * @returns the keys of the newest letters, which the commit of the caller must delete
 */
export async function beginLogRemoval(kv: Kv, recordIds: string[]): Promise<Key[]> {
  const keys = await Promise.all(recordIds.map((id) => removeOldestLetters(kv, id)));
  return keys.flat();
}

/** Removes the oldest letters of one log until the rest fits into a commit. Gives the keys of the rest. */
async function removeOldestLetters(kv: Kv, recordId: string): Promise<Key[]> {
  for (;;) {
    const limit = REMOVED_AT_ONCE + 1;
    const entries = await readPage(kv, lettersOfPersonSelector(recordId), { limit });
    const oldest = entries.slice(0, REMOVED_AT_ONCE);
    const keys = oldest.flatMap(({ key }) => keysOfLetter(letterByPersonOf(key)));
    const hasMore = entries.length === limit;
    if (!hasMore) return keys;
    const commit = new Commit();
    for (const key of keys) commit.delete(key);
    await kv.commit(commit);
  }
}

/**
 * Chooses the letters that were put into the outbox before a moment, and gives their keys in both tables of the log.
 * @param keys some keys of `LETTERS_BY_MOMENT`
 * @param moment a date-time
 */
export function keysOfLettersBefore(keys: Key[], moment: string): Key[] {
  return keys.map(letterByMomentOf)
    .filter(({ momentAndId }) => momentAndId < moment)
    .flatMap(keysOfLetter);
}
