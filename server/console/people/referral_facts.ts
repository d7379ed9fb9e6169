/** What the page of a person tells about referrals. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { referralUrl } from "../../waitlist/mod.ts";
import { breakable, type Fact } from "../components.ts";
import type { PageContext } from "../page_context.ts";

/**
 * Gives the person's link, the number of people who joined by it, and links to the pages of these people and of the
 * person by whose link this person signed up.
 */
export function referralFacts(
  person: ShownSignup,
  { texts, personPath, baseUrl }: PageContext,
): Fact[] {
  const { person: labels, number } = texts;
  const { referralCode, referrals, referredBy, referrer, referralCounts } = person;
  const { referredPeople = [], moreReferred = false } = person;
  const lead = ({ email, id }: { email: string; id: string }) =>
    markup`<a href="${personPath(id)}">${breakable(email)}</a>`;
  const notCounted = markup` (${labels.notCounted})`;
  const link = referralCode && referralUrl(baseUrl, person.lang, referralCode);
  const people = markup`<ul class="bullets">
${
    referredPeople.map((referred) =>
      markup`<li>${lead(referred)}${!referred.counts && notCounted}</li>`
    )
  }
${moreReferred && markup`<li>${labels.moreReferred}</li>`}
</ul>`;
  const by = referrer
    ? markup`${lead(referrer)}${referralCounts === false && notCounted}`
    : referredBy === "" && labels.erasedReferrer;
  return [
    [labels.referralLink, link && markup`<code>${link}</code>`],
    [labels.referrals, referrals !== undefined && number(referrals)],
    [labels.referredPeople, referredPeople.length > 0 && people],
    [labels.referredBy, by],
  ];
}
