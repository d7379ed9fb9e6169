/**
 * The problems of a service that an operator should look at. The overview of the console, `waitlist doctor` and the
 * notices to operators use the same rules.
 *
 * @module
 */
import { DAY, HOUR } from "./durations.ts";
import type { Overview } from "./operator_schemas.ts";

type Refusals = NonNullable<Overview["refusals"]>;

type Reports = NonNullable<Overview["reports"]>;

type LeftOutRuns = NonNullable<Overview["leftOutRuns"]>;

/** One problem, with the kind of problem in `about`. All times are date-times in UTC. */
export type Attention =
  /** Sending letters is paused. `until` is the next try; `testing` is true while it is due or under way. */
  | { about: "paused"; since: string; until: string; reason: string; testing?: boolean }
  /**
   * Letters or events are late. `due` is the number of letters and events that wait for their first or next try, and
   * the first of them should have been sent at `since`.
   */
  | { about: "late"; since: string; due: number }
  /** Letters and events are not tried any more, unless an operator has them tried again. */
  | { about: "rejected"; count: number }
  /** Unusually many tries to send letters or to deliver events were refused on one day. */
  | { about: "refused"; refusals: Refusals[number] }
  /** Letters came back as undeliverable, or were reported as spam, on the last days. */
  | { about: "reports"; reports: Reports[number] }
  /** The counters of the statistics differed from the records at the time `at`. */
  | { about: "drift"; at: string }
  /** There has been no backup. */
  | { about: "noBackup" }
  /** The last backup, made at `at`, is too old. `isDaily` is true for the backup that the service makes each day. */
  | { about: "oldBackup"; at: string; isDaily: boolean }
  /** The last backup that the service tried to make failed. */
  | { about: "failedBackup"; at: string; reason: string }
  /** Runs of a schedule of waves were left out, all of them for the same reason. */
  | { about: "leftOutRuns"; runs: LeftOutRuns[number] };

/** After how much time a due letter or event is late, in milliseconds. */
const LATE_MS = HOUR;

/**
 * How old the last backup may be if the service makes a backup each day, in milliseconds: two hours more than a day.
 */
const DAILY_BACKUP_MS = 26 * HOUR;

/**
 * How old the last backup by an operator may be, in milliseconds: a day more than a week, for operators who make
 * backups each week.
 */
const OTHER_BACKUP_MS = 8 * DAY;

/** A day with more refusals than this number is unusual. */
const USUAL_REFUSALS_A_DAY = 5;

/** A day with more than this share of refusals is unusual. */
const USUAL_REFUSED_SHARE = 0.05;

/** The part of an overview from which problems are found. */
export type CheckedOverview = Pick<
  Overview,
  | "outbox"
  | "refusals"
  | "reports"
  | "lastDone"
  | "total"
  | "backups"
  | "generatedAt"
  | "leftOutRuns"
>;

/**
 * Finds the problems that the service reports to operators by itself. A pause of sending is reported only after an
 * hour, because many mail servers cannot be reached for some minutes now and then. Letters that were rejected or came
 * back are not reported, because every list has some, and the report would be sent again on each day on which they
 * count.
 */
export function attentionToReport(overview: CheckedOverview): Attention[] {
  const hourAgo = Date.parse(overview.generatedAt) - HOUR;
  return attentionIn(overview)
    .filter(({ about }) => about !== "rejected" && about !== "reports")
    .filter((problem) => problem.about !== "paused" || Date.parse(problem.since) < hourAgo);
}

/**
 * Finds the problems in an overview, in the order in which an operator should act upon them: people who get no e-mail,
 * data that could get lost, people who were not invited, and wrong numbers. Ages are counted up to the overview's
 * `generatedAt`, which is a time of the service's clock, because the clock of this computer may differ.
 */
export function attentionIn(overview: CheckedOverview): Attention[] {
  const { reports = [], leftOutRuns = [], generatedAt } = overview;
  const isOlder: IsOlder = (at, ms) => Date.parse(generatedAt) - Date.parse(at) > ms;
  const drift = findCounterDrift(overview);
  return [
    ...delaysIn(overview, isOlder),
    ...rejectionsIn(overview),
    ...reports.map((reportsOfKind): Attention => ({ about: "reports", reports: reportsOfKind })),
    ...backupProblemsIn(overview, isOlder),
    ...leftOutRuns.map((runs): Attention => ({ about: "leftOutRuns", runs })),
    ...drift === undefined ? [] : [{ about: "drift", at: drift } as const],
  ];
}

/** Whether a date-time is more than `ms` milliseconds before the overview was made. */
type IsOlder = (at: string, ms: number) => boolean;

/** Finds a pause of sending or, without a pause, letters and events that are late. */
function delaysIn({ outbox }: CheckedOverview, isOlder: IsOlder): Attention[] {
  const { pause, oldestDue, due } = outbox;
  if (pause) return [{ about: "paused", ...pause }];
  if (!oldestDue || !isOlder(oldestDue, LATE_MS)) return [];
  return [{ about: "late", since: oldestDue, due }];
}

/**
 * Finds letters and events that are not tried any more, and days with unusually many refusals. A day of letters is left
 * out once no letter waits for an operator, because the refused ones were tried again or are not needed any more.
 */
function rejectionsIn({ outbox, refusals = [] }: CheckedOverview): Attention[] {
  const count = outbox.refused;
  const days = refusals.filter(({ about }) => about === "events" || count > 0);
  return [
    ...count > 0 ? [{ about: "rejected", count } as const] : [],
    ...days.map((refusalsOfDay): Attention => ({ about: "refused", refusals: refusalsOfDay })),
  ];
}

/** Finds out whether the last backup failed, is too old or is missing; at most one of these problems is reported. */
function backupProblemsIn(
  { lastDone: { backup: lastBackup }, total, backups }: CheckedOverview,
  isOlder: IsOlder,
): Attention[] {
  const { last: lastDaily, failed } = backups ?? {};
  if (failed) return [{ about: "failedBackup", ...failed }];
  if (lastDaily && isOlder(lastDaily.at, DAILY_BACKUP_MS)) {
    return [{ about: "oldBackup", at: lastDaily.at, isDaily: true }];
  }
  if (!lastBackup) return total > 0 ? [{ about: "noBackup" }] : [];
  if (!isOlder(lastBackup, OTHER_BACKUP_MS)) return [];
  return [{ about: "oldBackup", at: lastBackup, isDaily: false }];
}

/**
 * Finds out whether the counters of the statistics differ from the records.
 *
 * @returns the date-time of the verification that found a difference; `undefined` if no verification found a
 * difference, or if a repair or a later verification without a difference followed
 */
export function findCounterDrift({ lastDone }: Pick<Overview, "lastDone">): string | undefined {
  const { difference, verify = "", repair = "" } = lastDone;
  return difference !== undefined && difference > verify && difference > repair
    ? difference
    : undefined;
}

/** Returns the days with an unusual number or share of refused letters, or of failed tries to deliver events. */
export function unusualRefusals(
  days: { about: "letters" | "events"; day: string; sent: number; refused: number }[],
): Refusals {
  return days
    .map(({ about, day, sent, refused }) => ({ about, day, refused, tried: sent + refused }))
    .filter(({ refused, tried }) =>
      refused > USUAL_REFUSALS_A_DAY || refused > tried * USUAL_REFUSED_SHARE
    );
}
