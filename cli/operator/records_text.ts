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

/** How many characters of a counter's name are shown at most. */
const MAX_COUNTER_LENGTH = 60;

/** How many characters of the key of a record are shown at most. */
const MAX_KEY_LENGTH = 300;

/** Formats the counters that differ from the recount as a table; empty if no counter differs. */
export function formatDifferences({ differences }: RecountReport, style: Style): string {
  if (differences.length === 0) return "";
  // `kept` is the name on the wire for the count of the stored counter.
  const rows = differences.map(({ counter, kept, recounted }) => [
    quotable(counter, MAX_COUNTER_LENGTH),
    formatNumber(kept),
    formatNumber(recounted),
  ]);
  return formatTable(["Counter", "Kept", "Recounted"], rows, style);
}

/** Formats the key of an unreadable record. */
export function formatKey({ key }: UnreadableRecord): string {
  return quotable(key.join(" "), MAX_KEY_LENGTH);
}

/** Formats the list of unreadable records; empty if there are none. */
export function formatUnreadable(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  const lines = records.map((record) => `  ${formatKey(record)}: ${quotable(record.reason)}.\n`);
  const subject = plural(
    records.length,
    "record cannot be read and is",
    "records cannot be read and are",
  );
  return `${subject} left out:\n${lines.join("")}`;
}

/** Formats the list of unreadable records with advice on what to do; empty if there are none. */
export function formatUnreadableWithAdvice(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  return formatUnreadable(records) +
    "If a sign-up cannot be read, erase its address with 'waitlist signups erase', and then correct the " +
    "counters with 'waitlist counters repair'. If a client cannot be read, create a new client in its place.\n";
}

/** Formats the number of records of each kind in a backup. */
export function formatCounts(
  { signUps, clients, erasures, auditEntries, ...laterKinds }: BackupCounts,
): string {
  // On the wire, people to invite by name are `named`, and letter limits are `brakes`.
  const {
    waves = 0,
    named: namedPeople = 0,
    brakes: letterLimits = 0,
    schedules = 0,
    letters = 0,
  } = laterKinds;
  const texts = [
    plural(signUps, "sign-up", "sign-ups"),
    plural(clients, "client", "clients"),
    plural(erasures, "erasure mark", "erasure marks"),
    plural(auditEntries, "entry of the audit log", "entries of the audit log"),
  ];
  // Backups of earlier versions have no records of the kinds below, so each of these kinds is left out if it has no
  // records.
  if (waves > 0) texts.push(plural(waves, "wave", "waves"));
  if (namedPeople > 0) {
    texts.push(plural(namedPeople, "person to invite by name", "people to invite by name"));
  }
  if (letterLimits > 0) texts.push(plural(letterLimits, "letter limit", "letter limits"));
  if (schedules > 0) texts.push(plural(schedules, "schedule", "schedules"));
  if (letters > 0) {
    texts.push(plural(letters, "entry of the log of e-mails", "entries of the log of e-mails"));
  }
  return texts.join(", ");
}
