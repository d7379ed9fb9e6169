/**
 * Texts about records that several of the operator's commands print.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type {
  BackupCounts,
  RecountReport,
  UnreadableRecord,
} from "../../shared/operator_schemas.ts";
import { formatNumber, formatTable, plural } from "../format.ts";
import type { Style } from "../print.ts";

/** Formats the counters that differ from the recount as a table; empty if none differs. */
export function formatDifferences({ differences }: RecountReport, style: Style): string {
  if (differences.length === 0) return "";
  const rows = differences.map(({ counter, kept, recounted }) => [
    quotable(counter, 60),
    formatNumber(kept),
    formatNumber(recounted),
  ]);
  return formatTable(["Counter", "Kept", "Recounted"], rows, style);
}

/** Formats the key of an unreadable record. */
export function formatKey({ key }: UnreadableRecord): string {
  return quotable(key.join(" "), 300);
}

/** Formats the list of unreadable records; empty if there are none. */
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

/** Formats the list of unreadable records with the next step; empty if there are none. */
export function formatUnreadable(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  return listUnreadable(records) +
    "Erase the address of an unreadable sign-up with 'waitlist signups erase', then correct the " +
    "counters with 'waitlist counters repair'. Replace an unreadable client with a new one.\n";
}

/** Formats the number of records of each kind in a backup. */
export function formatCounts(
  { signUps, clients, erasures, auditEntries, ...others }: BackupCounts,
): string {
  const { waves = 0, named = 0, brakes = 0, schedules = 0, letters = 0 } = others;
  return [
    plural(signUps, "sign-up", "sign-ups"),
    plural(clients, "client", "clients"),
    plural(erasures, "erasure mark", "erasure marks"),
    plural(auditEntries, "entry of the audit log", "entries of the audit log"),
    // A kind with no records is left out, because backups of earlier versions never have some of these kinds.
    ...waves > 0 ? [plural(waves, "wave", "waves")] : [],
    ...named > 0 ? [plural(named, "person to invite by name", "people to invite by name")] : [],
    ...brakes > 0 ? [plural(brakes, "letter limit", "letter limits")] : [],
    ...schedules > 0 ? [plural(schedules, "schedule", "schedules")] : [],
    ...letters > 0
      ? [plural(letters, "entry of the log of letters", "entries of the log of letters")]
      : [],
  ].join(", ");
}
