/**
 * Copies the referral code and the campaign from a page's URL into the sign-up form of the page, and into the links to
 * other pages with the form. This needs no script (decisions, "Referrals" and "Campaigns"). @module
 */
import type { Language, SourcePage } from "../content/mod.ts";
import { rawQuery } from "../http/mod.ts";
import {
  CAMPAIGN_FIELDS,
  CAMPAIGN_PARAMETERS,
  campaignIn,
  referralCodeIn,
} from "../waitlist/mod.ts";

/** The path to which sign-up forms are sent. */
export const SIGN_UP_ACTION = "/api/v1/waitlist";

/**
 * Copies the referral code and the campaign from the page's URL into the sign-up form and the links of the page.
 * Returns the changed HTML; `undefined` if the URL has neither a referral code nor a campaign.
 */
export type CarryParameters = (html: string, url: string) => string | undefined;

/** Whether a page has a sign-up form. */
export const hasSignUpForm = ({ body }: SourcePage): boolean => body.includes("{{sign-up ");

/** Makes the function that copies the referral code and the campaign from a page's URL into the HTML of the page. */
export function createCarryParameters(languages: Language[]): CarryParameters {
  const formPages = languages.flatMap(({ pages }) => pages.filter(hasSignUpForm));
  const paths = formPages.map(({ path }) => path).join("|");
  // Matches the quote, `#` or `?` that follows the path in a form or a link. The paths need no escapes, because they
  // have no characters that are special in a pattern.
  const pathEnd = new RegExp(
    `(?<=action="(?:/sandbox)?${SIGN_UP_ACTION}|<a (?:[^>]* )?href="(?:${paths}))(["#?])`,
    "g",
  );
  return (html, url) => {
    const query = rawQuery(url);
    const carriedQuery = query && queryToCarry(new URLSearchParams(query));
    if (!carriedQuery) return undefined;
    // If a path has a query of its own, the parameters are written in front of this query.
    return html.replace(pathEnd, (end) => `?${carriedQuery}${end === "?" ? "&amp;" : end}`);
  };
}

/**
 * Returns the referral code and the campaign of a query as the text of another query, such as
 * `r=Abc1234567&amp;utm_source=news`; empty if the query has neither. The values need no escapes in HTML, because they
 * have only letters, digits, `_` and `-`.
 */
function queryToCarry(query: URLSearchParams): string {
  const campaign = campaignIn(query);
  const parameters = [
    ["r", referralCodeIn(query)],
    ...CAMPAIGN_FIELDS.map((field) => [CAMPAIGN_PARAMETERS[field], campaign[field]]),
  ];
  return parameters
    .flatMap(([name, value]) => value === undefined ? [] : [`${name}=${value}`])
    .join("&amp;");
}
