/**
 * What several of the operator's commands say about records.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type {
  BackupCounts,
  RecountReport,
  UnreadableRecord,
} from "../../shared/operator_schemas.ts";
import { formatTable, plural, type Style } from "../print.ts";

/** The counters that differ from the recount, as a table; empty where none differs. */
export function formatDifferences({ differences }: RecountReport, style: Style): string {
  if (differences.length === 0) return "";
  const rows = differences.map(({ counter, kept, recounted }) => [
    quotable(counter, 60),
    String(kept),
    String(recounted),
  ]);
  return formatTable(["Counter", "Kept", "Recounted"], rows, style);
}

/** The key of a record, as one text. */
export function formatKey({ key }: UnreadableRecord): string {
  return quotable(key.join(" "), 300);
}

/** Names records that the service cannot read; empty where there are none. */
export function listUnreadable(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  const lines = records.map((record) => `  ${formatKey(record)}: ${quotable(record.reason)}.\n`);
  const count = plural(
    records.length,
    "record cannot be read and is",
    "records cannot be read and are",
  );
  return `${count} left out:\n${lines.join("")}`;
}

/** Names records that the service cannot read, and the next step; empty where there are none. */
export function formatUnreadable(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  return listUnreadable(records) +
    "Erase the address of such a sign-up with 'waitlist signups erase', then correct the counters with " +
    "'waitlist counters repair'; in place of such a client, create another one.\n";
}

/** The number of each kind of record in a backup. */
export function formatCounts(
  { signUps, clients, erasures, auditEntries, waves = 0, named = 0, brakes = 0 }: BackupCounts,
): string {
  return [
    plural(signUps, "sign-up", "sign-ups"),
    plural(clients, "client", "clients"),
    plural(erasures, "mark of an erased address", "marks of erased addresses"),
    plural(auditEntries, "entry of the audit log", "entries of the audit log"),
    // Most stores have none, and backups of the version before have no such lines.
    ...waves > 0 ? [plural(waves, "wave", "waves")] : [],
    ...named > 0 ? [plural(named, "person to invite by name", "people to invite by name")] : [],
    ...brakes > 0 ? [plural(brakes, "brake on letters", "brakes on letters")] : [],
  ].join(", ");
}
