/** What the page of a person shows about referrals. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { referralUrl } from "../../waitlist/mod.ts";
import { type Fact, personLink } from "../components.ts";
import type { PageContext } from "../page_context.ts";

/**
 * Returns four facts about a person: the referral link, the number of referrals, links to the people who joined by the
 * referral link, and a link to the person by whose referral link this person signed up.
 */
export function referralFacts(
  person: ShownSignup,
  { texts, personPath, baseUrl }: PageContext,
): Fact[] {
  const { person: labels, number } = texts;
  const { referralCode, referrals } = person;
  const link = referralCode && referralUrl(baseUrl, person.lang, referralCode);
  return [
    [labels.referralLink, link && markup`<code>${link}</code>`],
    [labels.referrals, referrals !== undefined && number(referrals)],
    [labels.referredPeople, referredList(person, { labels, personPath })],
    [labels.referredBy, referrerLink(person, { labels, personPath })],
  ];
}

/** The texts and the paths that the facts need. */
interface ReferralContext extends Pick<PageContext, "personPath"> {
  labels: ConsoleTexts["person"];
}

/** Lists people who joined by the person's link, and says if there are more; `undefined` if there are none. */
function referredList(
  { referredPeople = [], moreReferred }: ShownSignup,
  { labels, personPath }: ReferralContext,
): Html | undefined {
  if (referredPeople.length === 0) return undefined;
  return markup`<ul class="bullets">
${
    referredPeople.map((referred) =>
      markup`<li>${personLink(referred, personPath)}${
        !referred.counts && notCountedNote(labels)
      }</li>`
    )
  }
${moreReferred && markup`<li>${labels.moreReferred}</li>`}
</ul>`;
}

/** Shows by whose link the person signed up; `undefined` if no such link is known. */
function referrerLink(
  { referrer, referredBy, referralCounts }: ShownSignup,
  { labels, personPath }: ReferralContext,
): Html | string | undefined {
  if (referrer) {
    return markup`${personLink(referrer, personPath)}${
      referralCounts === false && notCountedNote(labels)
    }`;
  }
  return referredBy === "" ? labels.erasedReferrer : undefined;
}

const notCountedNote = ({ notCounted }: ConsoleTexts["person"]): Html => markup` (${notCounted})`;
