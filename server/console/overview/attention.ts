/** The section "Needs attention" of the overview. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { describeAttention, type Html, markup } from "../../content/mod.ts";
import { pathWith } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/**
 * The section: first the problems that {@linkcode attentionIn} finds in the numbers, and then the `warnings` of the
 * overview, such as what is still to do before people use the service. Returns `undefined` if there are no problems and
 * no warnings.
 */
export function attentionSection(
  overview: Overview,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html | undefined {
  const { heading, launch: launchTexts } = texts.overview.warnings;
  const problems = attentionIn(overview).map((problem) =>
    markup`${describeAttention(problem, texts)} ${helpLink(problem, { texts, may })}`
  );
  // A warning without a text in the language of the page is shown in English, as the service has written it.
  const warnings = overview.warnings
    .map(({ about, message }) => markup`${launchTexts[about] ?? message}`);
  const items = [...problems, ...warnings];
  if (items.length === 0) return undefined;
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
  const { lists } = texts.outbox;
  switch (problem.about) {
    case "paused":
    case "late":
      return linkTo(PATHS.outbox, texts.overview.openOutbox);
    case "refused": {
      // A failed event is tried again, so the list of rejected events does not have the event yet.
      const list = problem.refusals.about === "letters" ? "refused" : "deliveries";
      return linkTo(pathWith(PATHS.outbox, { list }), lists[list].tab);
    }
    case "drift":
      return may("repairCounters") && linkTo(PATHS.data, texts.data.repairSubmit);
    case "noBackup":
    case "oldBackup":
      return may("backUp") && linkTo(PATHS.data, texts.data.backupSubmit);
    case "failedBackup":
      // No page mends or repeats a backup of the service. The sentence about the problem has the reason.
      return false;
    case "leftOutRuns":
      return linkTo(PATHS.invite, texts.invite.schedules.open);
  }
}
