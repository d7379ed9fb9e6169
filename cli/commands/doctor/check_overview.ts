/**
 * The checks of the service's overview, which need the operator key: placeholders, letters, backups, counters and
 * schedules.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { type Attention, attentionIn, findCounterDrift } from "../../../shared/attention.ts";
import { DAY } from "../../../shared/durations.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { plural } from "../../format.ts";
import {
  type CheckFindings,
  type CheckInput,
  type DoctorCheck,
  fault,
  ok,
  unchecked,
  type UnnamedFinding,
} from "./check.ts";

/** The letters or events that were refused on one day. */
type Refusals = NonNullable<Overview["refusals"]>[number];

/** The runs of a schedule that were left out for one reason. */
type LeftOutRuns = NonNullable<Overview["leftOutRuns"]>[number];

/**
 * Makes a check that needs the overview. Without an operator key, the finding of the check says that it needs the key.
 * `checkCounters` and `checkSchedules` are not made by this function, because they print nothing if there is no
 * overview.
 */
export function withKey(
  check: (overview: Overview, input: CheckInput) => CheckFindings,
): DoctorCheck["run"] {
  return (input) => {
    if (input.overview) return check(input.overview, input);
    // The check with the name `overview` reports this fault.
    if (input.overviewFault) return undefined;
    return unchecked("this check needs the operator key; set WAITLIST_OPERATOR_KEY");
  };
}

/**
 * How many characters of the service's texts a message quotes at most, by the kind of text. A date such as `2026-05-01`
 * has 10 characters, and the id of a schedule has up to 53 (`SCHEDULE_ID`).
 */
const MAX_LENGTHS = { about: 20, warning: 1_000, reason: 200, date: 10, scheduleId: 53 };

/**
 * Returns a finding for each warning of the service. The name of the finding is what the warning is about. Returns a
 * single finding if there are no warnings.
 */
export function checkLaunch({ warnings }: Overview, { baseUrl }: CheckInput): CheckFindings {
  if (warnings.length > 0) {
    return warnings.map(({ about, message }) => ({
      check: quotable(about, MAX_LENGTHS.about),
      result: "fault" as const,
      message: quotable(message, MAX_LENGTHS.warning).replace(/\.$/, ""),
    }));
  }
  if (baseUrl.startsWith("https:")) return ok("no text or setting is a placeholder");
  return unchecked(
    "this check finds placeholders in texts and settings of a public service, and a service at an http: URL is not " +
      "public; give --base-url with the https: URL",
  );
}

/**
 * Checks that letters are sent. It reports one problem at most, the first in this order: all letters are paused,
 * letters or events are late, letters or events were refused.
 */
export function checkLetters(overview: Overview): CheckFindings {
  const { outbox: { due, refused, sentToday }, sendsLetters, warnings } = overview;
  const problems = attentionIn(overview);
  const [pause] = problemsAbout("paused", problems);
  if (pause) {
    const reason = quotable(pause.reason, MAX_LENGTHS.reason);
    const until = pause.testing ? "a test succeeds" : quotable(pause.until);
    return fault(
      `all e-mails are paused until ${until}, because of the error '${reason}'`,
      "check the service's MAIL_URL and the mail server, and then run 'waitlist outbox retry --all'",
    );
  }
  const [lateOutbox] = problemsAbout("late", problems);
  if (lateOutbox) {
    const waiting = plural(
      due,
      "item of the outbox (an e-mail or an event) waits",
      "items of the outbox (e-mails and events) wait",
    );
    return fault(
      `${waiting}, the oldest since ${quotable(lateOutbox.since)}`,
      "look at 'waitlist outbox list' and at the service's log",
    );
  }
  const refusedDays = problemsAbout("refused", problems);
  if (refusedDays.length > 0) {
    return fault(
      refusedDays.map(({ refusals }) => describeRefusals(refusals)).join("; "),
      "look at 'waitlist outbox list --refused' and at the service's log",
    );
  }
  // If the service itself warns about letters, this check returns nothing, because `checkLaunch()` reports the warning.
  if (warnings.some(({ about }) => about === "letters")) return undefined;
  const state = sendsLetters
    ? `${sentToday} sent today, ${due} waiting`
    : "the service sends no e-mails, because MAIL_URL is not set";
  const refusedNote = refused > 0
    ? `; ${refused} refused, look at 'waitlist outbox list --refused'`
    : "";
  return ok(state + refusedNote);
}

/** Returns the problems about one subject, such as `paused`. */
function problemsAbout<About extends Attention["about"]>(
  about: About,
  problems: Attention[],
): Extract<Attention, { about: About }>[] {
  return problems.filter((problem): problem is Extract<Attention, { about: About }> =>
    problem.about === about
  );
}

/** Describes how many tries to send letters were refused on a day, or how many tries to deliver events failed. */
export function describeRefusals({ about, day, refused, tried }: Refusals): string {
  const dayText = `on ${quotable(day, MAX_LENGTHS.date)} (UTC)`;
  if (about === "events") {
    return `${refused} of ${plural(tried, "try", "tries")} to deliver events failed ${dayText}`;
  }
  const verb = refused === 1 ? "was" : "were";
  return `${refused} of ${
    plural(tried, "try", "tries")
  } to send e-mails ${verb} refused ${dayText}`;
}

/** The advice about a missing backup, and about an old backup of a service that makes no daily backups. */
const BACK_UP =
  "run 'waitlist backup' regularly, or set the service's BACKUP_URL; keep the backup files on another computer";

/** Checks the age of the last backup, and that the backups that the service makes by itself do not fail. */
export function checkBackups(overview: Overview): UnnamedFinding {
  const { lastDone: { backup }, generatedAt } = overview;
  const problems = attentionIn(overview);
  const [failedBackup] = problemsAbout("failedBackup", problems);
  if (failedBackup) {
    return fault(
      `the backup of ${quotable(failedBackup.at)} failed with the error '${
        quotable(failedBackup.reason, MAX_LENGTHS.reason)
      }'`,
      "check the service's BACKUP_URL; the service tries the backup again every hour",
    );
  }
  const [oldBackup] = problemsAbout("oldBackup", problems);
  if (oldBackup?.isDaily) {
    return fault(
      `the last daily backup was made at ${quotable(oldBackup.at)}, which is more than a day ago`,
      "look at the service's log for the reason",
    );
  }
  if (oldBackup) {
    const days = Math.floor((Date.parse(generatedAt) - Date.parse(oldBackup.at)) / DAY);
    return fault(
      `the last backup was made at ${quotable(oldBackup.at)} and is ${days} days old`,
      BACK_UP,
    );
  }
  if (problemsAbout("noBackup", problems).length > 0) {
    return fault("there has been no backup", BACK_UP);
  }
  // If people were on the list, `attentionIn()` would have found the problem `noBackup`.
  if (!backup) return unchecked("there was no backup, but nobody is on the list yet");
  return ok(`the last backup is of ${quotable(backup)}`);
}

/** Checks whether a recount has shown that the counters of the statistics differ from the records. */
export function checkCounters({ overview }: CheckInput): CheckFindings {
  const drift = overview && findCounterDrift(overview);
  if (!drift) return undefined;
  return fault(
    `at ${quotable(drift)}, the counters differed from the records`,
    "run 'waitlist counters repair'",
  );
}

/** Checks that schedules of waves have left out no runs in the last seven days. A pause is no fault. */
export function checkSchedules({ overview }: CheckInput): CheckFindings {
  const leftOut = overview?.leftOutRuns?.filter(({ reason }) => reason !== "paused") ?? [];
  if (leftOut.length === 0) return undefined;
  return fault(leftOut.map(describeLeftOutRuns).join("; "), "look at 'waitlist waves schedules'");
}

/** Why a run was left out, as the end of a sentence. */
const REASONS: Record<LeftOutRuns["reason"], string> = {
  paused: "the schedule was paused",
  missed: "the service was down for more than a day",
  previous: "the wave of the previous run was not done",
  taken: "there was a wave with the same id",
  noLetters: "the service sends no e-mails",
};

/** Describes which runs of a schedule were left out, and why. */
export function describeLeftOutRuns({ schedule, reason, dates }: LeftOutRuns): string {
  const id = quotable(schedule, MAX_LENGTHS.scheduleId);
  const days = dates.map((date) => quotable(date, MAX_LENGTHS.date)).join(", ");
  const runs = dates.length === 1 ? "run" : "runs";
  return `the schedule '${id}' left out its ${runs} of ${days}, because ${REASONS[reason]}`;
}
