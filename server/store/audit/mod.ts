/**
 * The audit log: what operators and mail providers have done, refused calls, and some work of the service itself, such
 * as a daily backup. `entries.ts` stores the entries, `read_log.ts` reads them, and `history.ts` reads the entries
 * about one person. `last_done.ts` stores when regular work was last done. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import type { EntryBatch, Kv } from "../kv/mod.ts";
import { writeAuditEntry } from "./entries.ts";
import { readHistory } from "./history.ts";
import { type AuditSelection, readAuditLog, readNewestAuditEntries } from "./read_log.ts";
export {
  AUDIT_MS,
  entryAbout,
  indexKeysOf,
  newAuditEntry,
  restoreAuditLog,
  setAuditEntry,
  writeAuditEntry,
} from "./entries.ts";
export { readHistory } from "./history.ts";
export { noteDone, readLastDone, reportAges } from "./last_done.ts";
export { type AuditSelection, readAuditLog, readNewestAuditEntries } from "./read_log.ts";

/** What the operator's operations do with the audit log. */
export interface AuditStore {
  /** Writes an entry in a commit of its own. A repeated call writes the same entry again, and adds no second entry. */
  writeAuditEntry: (entry: AuditEntry) => Promise<void>;
  /** Reads the history of a person: the latest entries about the person, the newest first. */
  readHistory: (
    email: string,
    record: Pick<SignUpRecord, "createdAt" | "corrections">,
  ) => Promise<AuditEntry[]>;
  /** Reads the entries of the last 400 days, the oldest first. */
  readAuditLog: (selection: AuditSelection) => AsyncGenerator<EntryBatch<AuditEntry>>;
  /**
   * Reads the entries of the last 400 days, the newest first.
   * @param selection.most how many entries the caller takes at most
   */
  readNewestAuditEntries: (
    selection: AuditSelection & { most: number },
  ) => AsyncGenerator<EntryBatch<AuditEntry>>;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createAuditStore({ kv, now }: Pick<Runtime, "now"> & { kv: Kv }): AuditStore {
  return {
    writeAuditEntry: (entry) => writeAuditEntry(kv, entry),
    readHistory: (email, record) => readHistory(kv, email, record),
    readAuditLog: ({ since, before }) => readAuditLog(kv, { since, before, now: now() }),
    readNewestAuditEntries: ({ since, before, most }) =>
      readNewestAuditEntries(kv, { since, before, most, now: now() }),
  };
}

/**
 * Marks the audit entry of a long change as complete, by writing the entry again. Each commit of the change has already
 * written this entry, with the counts so far.
 */
export function writeCompletion(
  writeAuditEntry: AuditStore["writeAuditEntry"],
  audit: AuditEntry,
): Promise<void> {
  return writeAuditEntry({ ...audit, details: { ...audit.details, complete: true } });
}
