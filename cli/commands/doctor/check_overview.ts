/**
 * The checks of the service's overview, which need the operator key: placeholders, letters, backups, counters and
 * schedules.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { attentionIn, findCounterDrift } from "../../../shared/attention.ts";
import { DAY } from "../../../shared/durations.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { plural } from "../../print.ts";
import {
  type DoctorCheck,
  type DoctorFacts,
  fault,
  ok,
  unchecked,
  type Verdict,
  type Verdicts,
} from "./check.ts";

type Refusals = NonNullable<Overview["refusals"]>[number];

type LeftOutRuns = NonNullable<Overview["leftOutRuns"]>[number];

/** Makes a check of the overview. Without an operator key, its verdict is that it needs the key. */
export function withKey(
  check: (overview: Overview, facts: DoctorFacts) => Verdicts,
): DoctorCheck["run"] {
  return (facts) => {
    if (facts.overview) return check(facts.overview, facts);
    if (facts.overviewFault) return undefined;
    return unchecked("this check needs the operator key; set WAITLIST_OPERATOR_KEY");
  };
}

/** Returns the service's own warnings, each under its own name. */
export function checkLaunch({ warnings }: Overview, { baseUrl }: DoctorFacts): Verdicts {
  if (warnings.length > 0) {
    return warnings.map(({ about, message }) => ({
      check: quotable(about, 20),
      result: "fault" as const,
      message: quotable(message, 1_000).replace(/\.$/, ""),
    }));
  }
  if (baseUrl.startsWith("https:")) return ok("no text or setting is a placeholder");
  return unchecked(
    "not checked at an http: address, where placeholders are normal; call the https: address",
  );
}

/** Checks that letters are sent. If a warning of the service is about letters, this check does not report them as fine. */
export function checkLetters(overview: Overview): Verdicts {
  const { outbox: { due, refused, sentToday }, sendsLetters, warnings } = overview;
  const problems = attentionIn(overview);
  const paused = problems.find((each) => each.about === "paused");
  if (paused) {
    const reason = quotable(paused.reason, 200);
    return fault(
      `all letters are paused until ${quotable(paused.until)}: ${reason}`,
      "check MAIL_URL and the mail server, then run 'waitlist outbox retry --all'",
    );
  }
  const late = problems.find((each) => each.about === "late");
  if (late) {
    const waiting = plural(due, "letter or event waits", "letters and events wait");
    return fault(
      `${waiting}, the first since ${quotable(late.since)}`,
      "look at 'waitlist outbox list' and at the service's log",
    );
  }
  const days = problems.flatMap((each) =>
    each.about === "refused" ? describeRefusals(each.of) : []
  );
  if (days.length > 0) {
    return fault(
      days.join("; "),
      "look at 'waitlist outbox list --refused' and at the service's log",
    );
  }
  if (warnings.some(({ about }) => about === "letters")) return undefined;
  const lost = refused > 0 ? `; ${refused} refused, look at 'waitlist outbox list --refused'` : "";
  const sent = sendsLetters
    ? `${sentToday} sent today, ${due} waiting`
    : "the service sends no letters, because MAIL_URL is not set";
  return ok(sent + lost);
}

/** Describes how many letters were refused on a day, or how many tries to deliver events failed. */
export function describeRefusals({ about, day, refused, tried }: Refusals): string {
  const what = about === "letters"
    ? `${refused} of ${tried} letters were refused`
    : `${refused} of ${tried} tries to deliver events failed`;
  return `${what} on ${quotable(day, 10)} (UTC)`;
}

const BACK_UP = "run 'waitlist backup' regularly, or set BACKUP_URL, and keep the files elsewhere";

/** Checks the age of the last backup, and that the service's own backups do not fail. */
export function checkBackups(overview: Overview): Verdict {
  const { lastDone: { backup }, generatedAt } = overview;
  for (const each of attentionIn(overview)) {
    if (each.about === "noBackup") return fault("there has been no backup", BACK_UP);
    if (each.about === "failedBackup") {
      return fault(
        `the backup of ${quotable(each.at)} failed: ${quotable(each.reason, 200)}`,
        "check BACKUP_URL; the service tries it again every hour",
      );
    }
    if (each.about !== "oldBackup") continue;
    const at = quotable(each.at);
    if (each.isDaily) {
      const toDo = "look at the service's log for the reason";
      return fault(`the last daily backup is of ${at}, which is more than a day ago`, toDo);
    }
    const days = Math.floor((Date.parse(generatedAt) - Date.parse(each.at)) / DAY);
    return fault(`the last backup is ${days} days old, of ${at}`, BACK_UP);
  }
  if (!backup) return unchecked("there was no backup, but nobody is on the list yet");
  return ok(`the last backup is of ${quotable(backup)}`);
}

/** Checks whether a recount has shown that the counters of the statistics differ from the records. */
export function checkCounters({ overview }: DoctorFacts): Verdicts {
  const drift = overview && findCounterDrift(overview);
  if (!drift) return undefined;
  const message = `the counters differed from the records at ${quotable(drift)}`;
  return fault(message, "run 'waitlist counters repair'");
}

/** Checks that schedules of waves have left out no runs in the last seven days. A pause is no fault. */
export function checkSchedules({ overview }: DoctorFacts): Verdicts {
  const leftOut = overview?.leftOutRuns?.filter(({ reason }) => reason !== "paused") ?? [];
  if (leftOut.length === 0) return undefined;
  return fault(leftOut.map(describeLeftOutRuns).join("; "), "look at 'waitlist waves schedules'");
}

const REASONS: Record<LeftOutRuns["reason"], string> = {
  paused: "it was paused",
  missed: "the service was down for more than a day",
  previous: "the wave of the run before was not done",
  taken: "there was a wave with the same id",
  noLetters: "the service sends no letters",
};

/** Describes which runs of a schedule were left out, and why. */
export function describeLeftOutRuns({ schedule, reason, dates }: LeftOutRuns): string {
  const days = dates.map((date) => quotable(date, 10)).join(", ");
  return `the schedule ${quotable(schedule, 53)} left out ${days}, because ${REASONS[reason]}`;
}
