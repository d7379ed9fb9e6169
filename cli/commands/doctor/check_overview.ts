/**
 * What only an operator can see of a service: what is left to do before people use it, its letters, backups and counters.
 * The times in an overview are all of the service's clock.
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

/** Makes a check of the overview. Without an operator key, it says that it needs the key. */
export function withKey(
  look: (overview: Overview, facts: DoctorFacts) => Verdicts,
): DoctorCheck["run"] {
  return (facts) => {
    if (facts.overview) return look(facts.overview, facts);
    if (facts.overviewFault) return undefined;
    return unchecked("it takes the operator key; set WAITLIST_OPERATOR_KEY");
  };
}

/** Gives the service's own warnings, each under a name of its own. */
export function checkLaunch({ warnings }: Overview, { baseUrl }: DoctorFacts): Verdicts {
  if (warnings.length > 0) {
    return warnings.map(({ about, message }) => ({
      check: quotable(about, 20),
      result: "fault" as const,
      message: quotable(message, 1_000).replace(/\.$/, ""),
    }));
  }
  if (baseUrl.startsWith("https:")) return ok("nothing is a placeholder");
  return unchecked(
    "placeholders do not count while the address is http:, as that is for trying out",
  );
}

/** Says whether letters go out. If a warning speaks of letters, it does not say that they are fine. */
export function checkLetters(overview: Overview): Verdicts {
  const { outbox: { due, refused, sentToday }, sendsLetters, warnings } = overview;
  const problems = attentionIn(overview);
  const paused = problems.find((each) => each.about === "paused");
  if (paused) {
    const reason = quotable(paused.reason, 200);
    return fault(
      `all are paused until ${quotable(paused.until)}: ${reason}`,
      "look at MAIL_URL and at the mail server, then run 'waitlist outbox retry --all'",
    );
  }
  const late = problems.find((each) => each.about === "late");
  if (late) {
    const waiting = plural(due, "letter or event", "letters and events");
    return fault(
      `${waiting} wait, the first since ${quotable(late.since)}`,
      "see 'waitlist outbox list', and the service's log",
    );
  }
  const days = problems.flatMap((each) =>
    each.about === "refused" ? describeRefusals(each.of) : []
  );
  if (days.length > 0) {
    return fault(
      days.join("; "),
      "see 'waitlist outbox list', also with --refused, and the service's log",
    );
  }
  if (warnings.some(({ about }) => about === "letters")) return undefined;
  const lost = refused > 0 ? `; ${refused} refused, see 'waitlist outbox list --refused'` : "";
  const sent = sendsLetters
    ? `${sentToday} sent today, ${due} wait`
    : "none are sent, as MAIL_URL is not set";
  return ok(sent + lost);
}

/** Says how much of a day's letters or events was refused. */
export function describeRefusals({ about, day, refused, tried }: Refusals): string {
  const what = about === "letters"
    ? `${refused} of ${tried} letters were refused`
    : `${refused} of ${tried} tries to deliver events failed`;
  return `${what} on ${quotable(day, 10)} (UTC)`;
}

const BACK_UP = "run 'waitlist backup' regularly, or set BACKUP_URL, and keep the files elsewhere";

/** Says how old the last backup is. */
export function checkBackups(overview: Overview): Verdict {
  const { lastDone: { backup }, generatedAt } = overview;
  for (const each of attentionIn(overview)) {
    if (each.about === "noBackup") return fault("there has been none", BACK_UP);
    if (each.about === "failedBackup") {
      return fault(
        `the one of ${quotable(each.at)} failed: ${quotable(each.reason, 200)}`,
        "look at BACKUP_URL; it is tried again every hour",
      );
    }
    if (each.about !== "oldBackup") continue;
    const at = quotable(each.at);
    if (each.isDaily) {
      const toDo = "see the service's log for the reason";
      return fault(`the last one of each day is of ${at}`, toDo);
    }
    const days = Math.floor((Date.parse(generatedAt) - Date.parse(each.at)) / DAY);
    return fault(`the last one is ${days} days old, of ${at}`, BACK_UP);
  }
  if (!backup) return unchecked("nobody is on the list yet, and there was none");
  return ok(`the last one is of ${quotable(backup)}`);
}

/** Says whether the counters of the statistics are known to differ from the records. */
export function checkCounters({ overview }: DoctorFacts): Verdicts {
  const drift = overview && findCounterDrift(overview);
  if (!drift) return undefined;
  const message = `they differed from the records at ${quotable(drift)}`;
  return fault(message, "run 'waitlist counters repair'");
}
