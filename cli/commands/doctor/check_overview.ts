/**
 * What only an operator can see of a service: what is left to do before people use it, its letters and backups.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { CliError, EXIT } from "../../errors.ts";
import type { OperatorClient } from "../../operator/client.ts";
import { plural } from "../../print.ts";
import { faulty, type Finding, fine, unchecked } from "./finding.ts";

type Refusals = NonNullable<Overview["refusals"]>[number];

const MINUTE = 60_000, DAY = 24 * 60 * MINUTE;

/** How late a letter or an event may be. */
const LATE_MS = 15 * MINUTE;

/** How old a backup may be: a weekly one may take a while. */
const BACKUP_DAYS = 8;

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
    return [...warnings, ...isSaid ? [] : [letters], ...believed, checkBackups(overview)];
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

function checkLetters({ outbox, refusals, sendsLetters, generatedAt }: Overview): Finding {
  const { due, oldestDue, refused, sentToday, pause } = outbox;
  if (pause) {
    return faulty(
      "letters",
      `all are paused until ${quotable(pause.until)}: ${
        quotable(pause.reason, 200)
      }; look at MAIL_URL and at ` +
        "the mail server, then run 'waitlist outbox retry --all'",
    );
  }
  if (oldestDue && Date.parse(generatedAt) - Date.parse(oldestDue) > LATE_MS) {
    return faulty(
      "letters",
      `${plural(due, "letter or event", "letters and events")} wait, the first since ${
        quotable(oldestDue)
      }; ` +
        "see 'waitlist outbox list', and the service's log",
    );
  }
  if (refusals?.length) {
    return faulty(
      "letters",
      `${
        refusals.map(describeRefusals).join("; ")
      }; see 'waitlist outbox list', also with --refused, and the service's log`,
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

/** How old the last backup may be that the service makes each day by itself. */
const DAILY_MS = 26 * 60 * MINUTE;

function checkBackups({ lastDone: { backup }, backups, generatedAt }: Overview): Finding {
  const advice = "run 'waitlist backup' regularly, or set BACKUP_URL, and keep the files elsewhere";
  if (backups?.failed) {
    const { at, reason } = backups.failed;
    return faulty(
      "backups",
      `the one of ${quotable(at)} failed: ${
        quotable(reason, 200)
      }; look at BACKUP_URL; it is tried again ` +
        "every hour",
    );
  }
  const last = backups?.last;
  if (last && Date.parse(generatedAt) - Date.parse(last.at) > DAILY_MS) {
    return faulty(
      "backups",
      `the last one of each day is of ${quotable(last.at)}; see the service's log for the reason`,
    );
  }
  if (!backup) return faulty("backups", `there has been none; ${advice}`);
  const days = Math.floor((Date.parse(generatedAt) - Date.parse(backup)) / DAY);
  if (days >= BACKUP_DAYS) {
    return faulty("backups", `the last one is ${days} days old, of ${quotable(backup)}; ${advice}`);
  }
  return fine("backups", `the last one is of ${quotable(backup)}`);
}
