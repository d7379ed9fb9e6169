/** The section "Needs attention" of the overview. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { describeAttention, type Html, markup } from "../../content/mod.ts";
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
  const links = problemLinks({ texts, may });
  const problems = attentionIn(overview)
    .map((problem) => markup`${describeAttention(problem, texts)} ${links[problem.about]}`);
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
 * Links to the page that helps against each kind of problem. A link is `false` if no page helps, or if the operator's
 * role does not allow the action there.
 */
function problemLinks(
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Record<Attention["about"], Html | false> {
  const outboxLink = markup`<a href="${PATHS.outbox}">${texts.overview.openOutbox}</a>`;
  const linkToData = (label: string) => markup`<a href="${PATHS.data}">${label}</a>`;
  const backupLink = may("backUp") && linkToData(texts.data.backupSubmit);
  return {
    paused: outboxLink,
    late: outboxLink,
    refused: outboxLink,
    drift: may("repairCounters") && linkToData(texts.data.repairSubmit),
    noBackup: backupLink,
    oldBackup: backupLink,
    // No page mends or repeats a backup of the service. The sentence about the problem has the reason.
    failedBackup: false,
    leftOutRuns: markup`<a href="${PATHS.invite}">${texts.invite.schedules.open}</a>`,
  };
}
