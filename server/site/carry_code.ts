/**
 * Puts the referral code in a page's URL into the sign-up form of the page, and into its links to other pages with the
 * form, so that no script is needed (decisions, "Referrals"). @module
 */
import type { Language, SourcePage } from "../content/mod.ts";
import { rawQuery } from "../http/mod.ts";
import { referralCodeIn } from "../waitlist/mod.ts";

/** The path to which sign-up forms are sent. */
export const SIGN_UP_ACTION = "/api/v1/waitlist";

/**
 * Puts the referral code in the page's URL into the sign-up form and the links of the page. Returns the changed HTML;
 * `undefined` if the URL has no well-formed code.
 */
export type CarryCode = (html: string, url: string) => string | undefined;

/** Whether a page has a sign-up form. */
export const hasSignUpForm = ({ body }: SourcePage): boolean => body.includes("{{sign-up ");

/** Makes the function that puts the referral code in a page's URL into the HTML of the page. */
export function createCarryCode(languages: Language[]): CarryCode {
  const paths = languages.flatMap(({ pages }) => pages.filter(hasSignUpForm));
  const links = paths.map(({ path }) => path).join("|");
  // Matches the quote, `#` or `?` that follows the path of a form or a link. The paths need no escapes, because they
  // have no characters that are special in a pattern.
  const end = new RegExp(
    `(?<=action="(?:/sandbox)?${SIGN_UP_ACTION}|<a (?:[^>]* )?href="(?:${links}))(["#?])`,
    "g",
  );
  return (html, url) => {
    const query = rawQuery(url);
    const code = query && referralCodeIn(new URLSearchParams(query));
    if (!code) return undefined;
    return html.replace(end, (next) => `?r=${code}${next === "?" ? "&amp;" : next}`);
  };
}
