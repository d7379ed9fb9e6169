/**
 * Stores the audit log: what the operators have done. The entry of a change is written in the commit of the change, so
 * that there is never one without the other; a further try of that commit writes the same entry.
 *
 * @module
 */
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { auditKey, auditOfKey, readAll, retry } from "../kv/mod.ts";

/** In milliseconds. */
export const AUDIT_MS = 400 * 24 * 60 * 60 * 1000;

/** A change that no operator made has no entry. */
export function setAuditEntry(
  commit: Deno.AtomicOperation,
  entry: AuditEntry | undefined,
): Deno.AtomicOperation {
  if (!entry) return commit;
  if (entry.address) commit.set(auditOfKey(entry.address, entry), true);
  return commit.set(auditKey(entry), entry);
}

/** An entry with the same moment and id is replaced. */
export async function writeAuditEntry(kv: Deno.Kv, entry: AuditEntry): Promise<void> {
  await retry(kv, () => setAuditEntry(kv.atomic(), entry).commit());
}

const ENTRIES_AT_ONCE = 200;

/** Stores the entries of a backup that are new here and not too old, with the restore's own; gives how many. */
export async function restoreAuditLog(
  kv: Deno.Kv,
  lines: LineOf<"audit">[],
  { now, audit }: { now: number; audit: AuditEntry | undefined },
): Promise<number> {
  let stored = 0;
  for (let from = 0; from < lines.length; from += ENTRIES_AT_ONCE) {
    const entries = lines.slice(from, from + ENTRIES_AT_ONCE).map(({ entry }) => entry);
    const known = await retry(kv, () => readAll(kv, entries.map(auditKey)));
    const absent = entries.filter(({ at }, index) => {
      return known[index]?.versionstamp === null && Date.parse(at) > now - AUDIT_MS;
    });
    if (absent.length === 0) continue;
    await retry(kv, () => {
      const commit = setAuditEntry(kv.atomic(), audit);
      for (const entry of absent) setAuditEntry(commit, entry);
      return commit.commit();
    });
    stored += absent.length;
  }
  return stored;
}
