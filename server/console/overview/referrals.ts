/** How many people came by recommendation, and who has the most referrals. @module */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { facts, section, showAddress, table } from "../components.ts";
import { pathWith } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/**
 * The section about referrals; `undefined` if there are no numbers of referrals, or if nobody on the list came by a
 * referral link.
 */
export function referralSection(
  { referrals, last7Days }: Overview,
  { texts, personPath }: { texts: ConsoleTexts } & Pick<PageContext, "personPath">,
): Html | undefined {
  if (!referrals || referrals.total === 0) return undefined;
  const { overview: { referrals: labels }, people, words, number } = texts;
  const { lastWeek, total, top } = referrals;
  const figures = facts([
    [labels.lastWeek, labels.ofSignUps({ count: number(lastWeek), whole: number(last7Days) })],
    [labels.total, number(total)],
  ]);
  const topTable = table({
    caption: labels.top,
    head: [words.address, { number: people.referrals }],
    rows: top.map(({ email, id, referrals: count }) => [
      { rowHeading: markup`<a href="${personPath(id)}">${showAddress(email)}</a>` },
      { number: number(count) },
    ]),
  });
  const path = pathWith(PATHS.people, { referrals: 1 });
  const allLink = markup`<p><a href="${path}">${labels.all}</a></p>`;
  const content = markup`${figures}
${top.length > 0 && topTable}
${top.length > 0 && allLink}`;
  return section("referrals", people.referrals, content);
}
