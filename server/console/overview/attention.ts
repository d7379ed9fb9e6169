/** The section "Needs attention" of the overview. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../../content/mod.ts";
import { pathWith } from "../forms.ts";
import { SCHEDULE_LIST_PATH } from "../invite/mod.ts";
import { type PageContext, PATHS } from "../page_context.ts";

type Warning = Overview["warnings"][number];

/**
 * What the warnings of the overview are about if they tell of harm at present: a former primary in use, tokens that
 * other processes refuse, letters that reach nobody, and visitors who share the limits of one address. The first of
 * these comes first.
 */
const URGENT: Warning["about"][] = ["store", "address", "letters", "proxy"];

/** The problems of letters and events. Those that are tried again come after these problems, and before all others. */
const ABOUT_DELIVERY: Attention["about"][] = ["late", "rejected", "refused", "reports"];

/** How many of the waiting letters and events are looked at for those whose last try failed. */
const MAX_WAITING_READ = 100;

/** How many letters and events wait for another try, because the last try failed. */
export interface TriedAgain {
  count: number;
  /** Whether there can be more of them, because more wait than were looked at. */
  mayBeMore: boolean;
}

/**
 * Counts the letters and events that wait for another try. Counts none if they cannot be read.
 */
export async function countTriedAgain(
  { outbox }: Pick<Overview, "outbox">,
  { operations }: Pick<PageContext, "operations">,
): Promise<TriedAgain> {
  if (outbox.due === 0) return { count: 0, mayBeMore: false };
  const list = await operations.listOutbox({ refused: false, limit: MAX_WAITING_READ });
  if ("failure" in list) return { count: 0, mayBeMore: false };
  // A letter whose first try is under way has no reason yet.
  const count = list.items.filter(({ reason }) => reason !== undefined).length;
  return { count, mayBeMore: list.next !== undefined };
}

/**
 * The section: first a pause of all letters, then the warnings of the overview that are {@linkcode URGENT}, then the
 * other problems that {@linkcode attentionIn} finds in the numbers, with those letters and events that are tried again,
 * and then the other warnings, which tell what is still to do before people use the service. If there is nothing of this,
 * a sentence says so. During a pause, the item about the pause counts what waits, so those that are tried again have no
 * item of their own.
 */
export function attentionSection(
  overview: Overview,
  triedAgain: TriedAgain,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html {
  const { heading, nothing, launch: launchTexts } = texts.overview.warnings;
  const problems = attentionIn(overview);
  const { due, held } = overview.outbox;
  const showProblem = (problem: Attention) =>
    markup`${describeAttention(problem, texts)}${
      problem.about === "paused" &&
      ` ${texts.overview.pausedItems({ count: texts.number(due + held) })}`
    } ${helpLink(problem, { texts, may })}`;
  const pauses = problems.filter(({ about }) => about === "paused");
  const isAboutDelivery = ({ about }: Attention) => ABOUT_DELIVERY.includes(about);
  // The e-mails that were rejected for good are mostly the same as those rejected on a day, so one item has both numbers.
  const refusedLetters = problems.filter((problem) =>
    problem.about === "refused" && problem.refusals.about === "letters"
  );
  const showDelivery = (problem: Attention) =>
    problem.about === "rejected"
      ? markup`${
        [problem, ...refusedLetters].map((each) => describeAttention(each, texts)).join(" ")
      } ${helpLink(problem, { texts, may })}`
      : showProblem(problem);
  // A warning without a text in the language of the page is shown in English, as the service has written it.
  const describe = ({ about, message }: Warning) => markup`${launchTexts[about] ?? message}`;
  const urgent = URGENT.flatMap((about) =>
    overview.warnings.filter((warning) => warning.about === about)
  );
  const others = overview.warnings.filter(({ about }) => !URGENT.includes(about));
  const items = [
    ...urgent.map(describe),
    ...problems.filter((problem) => isAboutDelivery(problem) && !refusedLetters.includes(problem))
      .map(showDelivery),
    ...pauses.length === 0 && triedAgain.count > 0 ? [showTriedAgain(triedAgain, texts)] : [],
    ...problems.filter((problem) => !isAboutDelivery(problem) && !pauses.includes(problem))
      .map(showProblem),
    ...others.map(describe),
  ];
  if (items.length + pauses.length === 0) return markup`<p class="soft">${nothing}</p>`;
  // The section has a class, which `section()` cannot write.
  return markup`<section class="warnings"><h2>${heading}</h2>
<ul>
${pauses.map((pause) => markup`<li class="fault">${showProblem(pause)}</li>`)}
${items.map((item) => markup`<li class="warning">${item}</li>`)}
</ul></section>`;
}

/** Says how many letters and events are tried again, with a link to their list, which has the reasons. */
function showTriedAgain({ count, mayBeMore }: TriedAgain, texts: ConsoleTexts): Html {
  const { warnings, openRejected } = texts.overview;
  const number = `${texts.number(count)}${mayBeMore ? "+" : ""}`;
  const path = pathWith(PATHS.outbox, { list: "waiting" });
  return markup`${warnings.triedAgain({ count: number })} <a href="${path}">${openRejected}</a>`;
}

/**
 * Links to the page that helps against a problem. Returns `false` if no page helps, or if the operator's role does not
 * allow the action there.
 */
function helpLink(
  problem: Attention,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html | false {
  const linkTo = (path: string, label: string) => markup`<a href="${path}">${label}</a>`;
  switch (problem.about) {
    case "paused":
    case "late":
      return linkTo(PATHS.outbox, texts.overview.openOutbox);
    case "rejected":
      return linkTo(pathWith(PATHS.outbox, { list: "refused" }), texts.overview.openRejected);
    case "refused":
      // The problem `rejected`, in whose item this problem is, links to the letters that were rejected.
      return problem.refusals.about === "events" &&
        linkTo(pathWith(PATHS.outbox, { list: "deliveries" }), texts.outbox.lists.deliveries.tab);
    case "reports": {
      const { kind } = problem.reports;
      const log = pathWith(PATHS.outbox, { list: "log", state: kind });
      return linkTo(log, texts.overview.openReported[kind]);
    }
    case "drift":
      return may("repairCounters") && linkTo(PATHS.data, texts.data.repairSubmit);
    case "noBackup":
    case "oldBackup":
    case "failedBackup":
      // No page mends a backup of the service, and the sentence about it has the reason. A backup by hand helps until it
      // is mended.
      return may("backUp") && linkTo(PATHS.data, texts.data.backupSubmit);
    case "leftOutRuns":
      return linkTo(SCHEDULE_LIST_PATH, texts.invite.schedules.open);
  }
}
