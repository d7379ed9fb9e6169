/** Reads the audit log, in the order of the entries or the newest first. @module */
import { storedAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import {
  AUDIT_LOG,
  auditSelector,
  type EntryBatch,
  type Key,
  type Kv,
  nameOf,
  pages,
  readEntries,
  separateUnreadable,
} from "../kv/mod.ts";
import { AUDIT_MS } from "./entries.ts";

/** The form that an entry must have; any other entry counts as unreadable. */
const FORM = { schema: storedAuditEntrySchema };

/** Which entries of the audit log are read. */
export interface AuditSelection {
  /** The earliest moment of the entries, a date-time in UTC. */
  since?: string | undefined;
  /** A date-time in UTC, or the position of an entry: its moment, a space and its id. Only earlier entries are read. */
  before?: string | undefined;
}

/** A text that sorts after the position of every entry. */
const AFTER_ALL = "~";

/**
 * Reads the entries that are not too old, the oldest first. Gives only the key of an entry that cannot be read.
 * @param selection.now the present moment, in milliseconds since 1970
 */
export async function* readAuditLog(
  kv: Kv,
  { since, before = AFTER_ALL, now }: AuditSelection & { now: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const selector = { ...AUDIT_LOG, after: firstMomentOf(since, now), form: FORM };
  for await (const batch of readEntries<AuditEntry>(kv, selector)) {
    const isEarlier = ({ key }: { key: Key }) => nameOf(key) < before;
    const entries = batch.entries.filter(isEarlier);
    const unreadable = batch.unreadable.filter(isEarlier);
    yield { entries, unreadable };
    const count = entries.length + unreadable.length;
    if (count < batch.entries.length + batch.unreadable.length) return;
  }
}

/**
 * Gives the date-time at which reading begins: `since`, or the moment from which entries are kept, if that moment is
 * later.
 */
function firstMomentOf(since = "", now: number): string {
  const oldest = new Date(now - AUDIT_MS).toISOString();
  return since > oldest ? since : oldest;
}

/**
 * Reads the entries of `readAuditLog()`, the newest first. If KV rejects a page because of an unreadable entry, the
 * remaining entries are read by `readAuditLog()`, because only that function gives the key of such an entry.
 * @param selection.most how many entries the caller takes at most
 */
export async function* readNewestAuditEntries(
  kv: Kv,
  { since, before = AFTER_ALL, now, most }: AuditSelection & { now: number; most: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const oldest = firstMomentOf(since, now);
  // KV rejects a range that ends before it begins, so such a range is not read.
  if (before <= oldest) return;
  /** The position before which the entries are still to be read. */
  let end = before;
  let remaining = most;
  try {
    const range = auditSelector(oldest, before);
    for await (const page of pages<AuditEntry>(kv, range, { reverse: true })) {
      yield separateUnreadable(page.slice(0, remaining), FORM);
      remaining -= page.length;
      if (remaining <= 0) return;
      end = nameOf(page.at(-1)!.key);
    }
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    yield await readLastEntries(kv, { since, before: end, now }, remaining);
  }
}

/**
 * Reads the audit log to its end, the oldest entry first, and gives the last entries, the newest first.
 * @param most how many entries are given at most; the keys of entries that cannot be read are all given
 */
async function readLastEntries(
  kv: Kv,
  range: AuditSelection & { now: number },
  most: number,
): Promise<EntryBatch<AuditEntry>> {
  const lastBatch: EntryBatch<AuditEntry> = { entries: [], unreadable: [] };
  for await (const batch of readAuditLog(kv, range)) {
    lastBatch.entries = [...lastBatch.entries, ...batch.entries].slice(-most);
    lastBatch.unreadable.push(...batch.unreadable);
  }
  return { ...lastBatch, entries: lastBatch.entries.reverse() };
}
