/** The section "Needs attention" of the overview. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { describeAttention, type Html, markup } from "../../content/mod.ts";
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

/**
 * The section: first the warnings of the overview that are {@linkcode URGENT}, then the problems that {@linkcode
 * attentionIn} finds in the numbers, and then the other warnings, which tell what is still to do before people use the
 * service. If there are no problems and no warnings, a sentence says so.
 */
export function attentionSection(
  overview: Overview,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html {
  const { heading, nothing, launch: launchTexts } = texts.overview.warnings;
  const problems = attentionIn(overview).map((problem) =>
    markup`${describeAttention(problem, texts)} ${helpLink(problem, { texts, may })}`
  );
  // A warning without a text in the language of the page is shown in English, as the service has written it.
  const describe = ({ about, message }: Warning) => markup`${launchTexts[about] ?? message}`;
  const urgent = URGENT.flatMap((about) =>
    overview.warnings.filter((warning) => warning.about === about)
  );
  const others = overview.warnings.filter(({ about }) => !URGENT.includes(about));
  const items = [...urgent.map(describe), ...problems, ...others.map(describe)];
  if (items.length === 0) return markup`<p class="soft">${nothing}</p>`;
  // The section has a class, which `section()` cannot write.
  return markup`<section class="warnings"><h2>${heading}</h2>
<ul>
${items.map((item) => markup`<li class="warning">${item}</li>`)}
</ul></section>`;
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
      // The problem `rejected`, which comes before this one, links to the letters that can be sent again. The log also has
      // those that were sent again since.
      return problem.refusals.about === "events"
        ? linkTo(
          pathWith(PATHS.outbox, { list: "deliveries" }),
          texts.outbox.lists.deliveries.tab,
        )
        : linkTo(
          pathWith(PATHS.outbox, { list: "log", state: "rejected" }),
          texts.overview.openRejectedTries,
        );
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
