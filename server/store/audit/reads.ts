/** Reads the audit log, from its beginning or from its end. @module */
import { keptAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { DeadlineError } from "../../runtime/mod.ts";
import { erasureMarks } from "../../waitlist/mod.ts";
import { AUDIT_MS } from "./entries.ts";
import {
  AUDIT_LOG,
  auditKeyOf,
  auditOfSelector,
  auditSelector,
  type EntryBatch,
  pages,
  readEntries,
  readMany,
  readPage,
  readSchema,
  validate,
  withKvDeadline,
} from "../kv/mod.ts";

const FORM = { schema: keptAuditEntrySchema };

export interface AuditSelection {
  /** A date-time in UTC. */
  since?: string | undefined;
  /** A date-time in UTC, or the position of an entry: its moment, a space and its id. Only earlier ones are read. */
  before?: string | undefined;
}

const END = "~";

/** Reads the entries that are not too old, the oldest first, and names those that cannot be read. */
export async function* readAuditLog(
  kv: Deno.Kv,
  { since, before = END, now }: AuditSelection & { now: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const selector = { ...AUDIT_LOG, after: startOf(since, now), form: FORM };
  for await (const batch of readEntries<AuditEntry>(kv, selector)) {
    const entries = batch.entries.filter(({ key }) => String(key[1]) < before);
    yield { ...batch, entries };
    if (entries.length < batch.entries.length) return;
  }
}

function startOf(since = "", now: number): string {
  const oldest = new Date(now - AUDIT_MS).toISOString();
  return since > oldest ? since : oldest;
}

/**
 * Reads the same entries, the newest first. Where KV cannot read one of them, it goes through the rest of the log from
 * the beginning, which names the faulty entry.
 *
 * @param selection.most how many entries the caller takes at the most
 */
export async function* readNewestAuditEntries(
  kv: Deno.Kv,
  { since, before = END, now, most }: AuditSelection & { now: number; most: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const first = startOf(since, now);
  // KV refuses a range that ends before it begins.
  if (before <= first) return;
  let position = before;
  let left = most;
  try {
    const range = auditSelector(first, before);
    for await (const page of pages<AuditEntry>(kv, range, { reverse: true })) {
      yield validate(page.slice(0, left), FORM);
      left -= page.length;
      if (left <= 0) return;
      position = String(page.at(-1)!.key[1]);
    }
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    const rest: EntryBatch<AuditEntry> = { entries: [], unreadable: [] };
    for await (const batch of readAuditLog(kv, { since, before: position, now })) {
      rest.entries = [...rest.entries, ...batch.entries].slice(-left);
      rest.unreadable.push(...batch.unreadable);
    }
    yield { ...rest, entries: rest.entries.reverse() };
  }
}

/** The most entries of an address that are given. */
const MAX_HISTORY = 100;

/**
 * Reads the latest entries about one address, the newest first; those that cannot be read are left out. Entries that
 * name several addresses by their number only are not among them.
 *
 * @param since a date-time in UTC, the earliest moment of an entry
 */
export async function readAuditLogOf(
  kv: Deno.Kv,
  email: string,
  since: string,
): Promise<AuditEntry[]> {
  return await withKvDeadline(kv, async () => {
    const { erasureKeys } = await readSchema(kv);
    const marks = erasureKeys ? erasureMarks(erasureKeys, email) : [];
    const latest = { limit: MAX_HISTORY, reverse: true };
    const lists = marks.map((mark) => readPage(kv, auditOfSelector(mark, since), latest));
    const keys = (await Promise.all(lists)).flat().map(({ key }) => auditKeyOf(key));
    const found = await readMany<unknown>(kv, keys);
    return found
      .flatMap((entry) => keptAuditEntrySchema.safeParse(entry?.value).data ?? [])
      .sort((a, b) => a.at < b.at ? 1 : -1)
      .slice(0, MAX_HISTORY);
  });
}
