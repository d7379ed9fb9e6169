/** Backs up the log of letters (`letter_log.ts`), and restores it. @module */
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  checksFor,
  Commit,
  commitChange,
  type Entry,
  type EntryBatch,
  type Key,
  type Kv,
  letterByPersonKey,
  letterByPersonOf,
  LETTERS_BY_PERSON,
  pages,
  readMany,
  readOne,
  RESTORE,
  separateUnreadable,
  signUpKey,
} from "../kv/mod.ts";
import {
  itemIdOf,
  LETTER_LOG_MS,
  type LetterLogEntry,
  momentAndIdOf,
  setLoggedLetter,
  type StoredLetter,
} from "./letter_log.ts";
import { findAddress } from "./records.ts";

/** Reads the letters to all people, for a backup. */
export async function* readLetterLog(kv: Kv): AsyncGenerator<EntryBatch<StoredLetter>> {
  for await (const page of pages<StoredLetter>(kv, LETTERS_BY_PERSON)) {
    yield separateUnreadable(page, undefined);
  }
}

/** Makes the backup line of a letter. @param key the key of the letter in `LETTERS_BY_PERSON` */
export function toLetterLine(key: Key, letter: StoredLetter): LineOf<"letter"> {
  const { recordId, momentAndId } = letterByPersonOf(key);
  return { kind: "letter", recordId, itemId: itemIdOf(momentAndId), letter };
}

/** Makes the entry of the log from the backup line of a letter. */
function toEntry({ recordId, itemId, letter }: LineOf<"letter">): LetterLogEntry {
  return { recordId, momentAndId: momentAndIdOf(letter.putAt, itemId), letter };
}

/** How many letters one commit restores at most. */
const RESTORED_AT_ONCE = 100;

/**
 * Stores the lines of letters. Leaves out letters that are too old, or whose person is not on the list. A letter that
 * is already in the log stays unchanged.
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
  const recentEntries = lines.filter(({ letter }) => letter.putAt >= oldest).map(toEntry);
  // Each commit checks the restore's entry, and at most one record for each letter.
  const size = Math.min(RESTORED_AT_ONCE, checksFor(kv, 1));
  let storedCount = 0;
  for (let from = 0; from < recentEntries.length; from += size) {
    storedCount += await restoreLetters(kv, recentEntries.slice(from, from + size), audit);
  }
  return storedCount;
}

/** Stores letters of a backup in one commit. @returns the number of letters that were stored */
function restoreLetters(
  kv: Kv,
  entries: LetterLogEntry[],
  audit: AuditEntry | undefined,
): Promise<number> {
  const recordIds = [...new Set(entries.map(({ recordId }) => recordId))];
  return commitChange<number>(kv, async () => {
    const [restoreEntry, recordEntries, loggedLetters] = await Promise.all([
      readOne(kv, RESTORE),
      readRecordEntries(kv, recordIds),
      readMany<StoredLetter>(kv, entries.map(letterByPersonKey)),
    ]);
    const absentLetters = entries.flatMap((entry, index) => {
      const recordEntry = recordEntries.get(entry.recordId);
      const isAbsent = loggedLetters[index]?.version === null;
      return recordEntry && isAbsent ? [{ entry, recordEntry }] : [];
    });
    if (absentLetters.length === 0) return { result: () => 0 };
    const commit = setAuditEntry(new Commit().check(restoreEntry), audit);
    // Checks the records, so that no letter to a person who leaves meanwhile is stored.
    commit.check(...new Set(absentLetters.map(({ recordEntry }) => recordEntry)));
    for (const { entry } of absentLetters) setLoggedLetter(commit, entry);
    return { commit, result: () => absentLetters.length };
  });
}

/** Reads the entries of records by the records' ids. A record that is absent or cannot be read is left out. */
async function readRecordEntries(
  kv: Kv,
  recordIds: string[],
): Promise<Map<string, Entry<SignUpRecord>>> {
  const emails = await Promise.all(recordIds.map((id) => findAddress(kv, id)));
  const keys = emails.filter((email) => email !== undefined).map(signUpKey);
  const entries = await readMany<SignUpRecord>(kv, keys);
  return new Map(
    entries.flatMap((entry) => entry?.value ? [[entry.value.id, entry] as const] : []),
  );
}
