/**
 * What only an operator can see of a service: what is left to do before people use it, its letters and backups.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { CliError, EXIT } from "../../errors.ts";
import type { OperatorClient } from "../../operator/client.ts";
import { plural } from "../../print.ts";
import { faulty, type Finding, fine, unchecked } from "./finding.ts";

type Refusals = NonNullable<Overview["refusals"]>[number];

const DAY = 24 * 60 * 60_000;

/** Reads the overview and looks at it; the times in it are all of the service's clock. */
export async function checkOverview(
  operator: OperatorClient,
  baseUrl: string,
  checkSender: (sender: NonNullable<Overview["sender"]>) => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    const overview = await operator.call("getOverview", {});
    const warnings = checkWarnings(overview, baseUrl);
    const letters = checkLetters(overview);
    // What the warnings say of letters is not said to be fine.
    const isSaid = letters.result === "ok" && warnings.some(({ check }) => check === "letters");
    const { sender } = overview;
    const believed = sender ? await checkSender(sender) : [];
    return [
      ...warnings,
      ...isSaid ? [] : [letters],
      ...believed,
      checkBackups(overview),
      ...checkCounters(overview),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.exitCode === EXIT.failedCheck) return [faulty("overview", error.message)];
    if (error.exitCode !== EXIT.notFound) throw error;
    return [
      faulty(
        "overview",
        "the service has none, as its version is older than this program's; upgrade it, or look at launch, " +
          "letters and backups yourself",
      ),
    ];
  }
}

/** Says what is not looked at without the operator key. */
export function skipOverview(): Finding[] {
  return ["launch", "letters", "backups"].map((check) =>
    unchecked(check, "it takes the operator key; set WAITLIST_OPERATOR_KEY")
  );
}

function checkWarnings({ warnings }: Overview, baseUrl: string): Finding[] {
  if (warnings.length > 0) {
    return warnings.map(({ about, message }) =>
      faulty(quotable(about, 20), quotable(message, 1_000).replace(/\.$/, ""))
    );
  }
  if (!baseUrl.startsWith("https:")) {
    return [
      unchecked(
        "launch",
        "placeholders do not count while the address is http:, as that is for trying out",
      ),
    ];
  }
  return [fine("launch", "nothing is a placeholder")];
}

function checkLetters(overview: Overview): Finding {
  const { outbox: { due, refused, sentToday }, sendsLetters } = overview;
  const found = attentionIn(overview);
  const paused = found.find((each) => each.about === "paused");
  if (paused) {
    return faulty(
      "letters",
      `all are paused until ${quotable(paused.until)}: ${
        quotable(paused.reason, 200)
      }; look at MAIL_URL and at ` +
        "the mail server, then run 'waitlist outbox retry --all'",
    );
  }
  const late = found.find((each) => each.about === "late");
  if (late) {
    return faulty(
      "letters",
      `${plural(due, "letter or event", "letters and events")} wait, the first since ${
        quotable(late.since)
      }; see 'waitlist outbox list', and the service's log`,
    );
  }
  const days = found.flatMap((each) => each.about === "refused" ? describeRefusals(each.of) : []);
  if (days.length > 0) {
    return faulty(
      "letters",
      `${days.join("; ")}; see 'waitlist outbox list', also with --refused, and the service's log`,
    );
  }
  const lost = refused > 0 ? `; ${refused} refused, see 'waitlist outbox list --refused'` : "";
  return fine(
    "letters",
    sendsLetters
      ? `${sentToday} sent today, ${due} wait${lost}`
      : `none are sent, as MAIL_URL is not set${lost}`,
  );
}

/** Says how much of a day's letters or events was refused. */
export function describeRefusals({ about, day, refused, tried }: Refusals): string {
  const what = about === "letters"
    ? `${refused} of ${tried} letters were refused`
    : `${refused} of ${tried} tries to deliver events failed`;
  return `${what} on ${quotable(day, 10)} (UTC)`;
}

function checkBackups(overview: Overview): Finding {
  const advice = "run 'waitlist backup' regularly, or set BACKUP_URL, and keep the files elsewhere";
  const { lastDone: { backup }, generatedAt } = overview;
  for (const each of attentionIn(overview)) {
    if (each.about === "failedBackup") {
      const reason = quotable(each.reason, 200);
      return faulty(
        "backups",
        `the one of ${
          quotable(each.at)
        } failed: ${reason}; look at BACKUP_URL; it is tried again every hour`,
      );
    }
    if (each.about === "noBackup") return faulty("backups", `there has been none; ${advice}`);
    if (each.about !== "oldBackup") continue;
    const at = quotable(each.at);
    const days = Math.floor((Date.parse(generatedAt) - Date.parse(each.at)) / DAY);
    return each.isDaily
      ? faulty(
        "backups",
        `the last one of each day is of ${at}; see the service's log for the reason`,
      )
      : faulty("backups", `the last one is ${days} days old, of ${at}; ${advice}`);
  }
  if (!backup) return unchecked("backups", "nobody is on the list yet, and there was none");
  return fine("backups", `the last one is of ${quotable(backup)}`);
}

/** Says whether the counters of the statistics are known to differ from the records. */
function checkCounters(overview: Overview): Finding[] {
  const drift = attentionIn(overview).find((each) => each.about === "drift");
  if (!drift) return [];
  return [
    faulty(
      "counters",
      `they differed from the records at ${quotable(drift.at)}; run 'waitlist counters repair'`,
    ),
  ];
}
