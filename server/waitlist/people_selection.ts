/**
 * Whether a person fits a selection of people. Operators list and export the people who fit a selection, and act on
 * these people. @module
 */
import { marksOf, stepsOf } from "../../shared/counters.ts";
import type { PeopleSelection } from "../../shared/operator_schemas.ts";
import { ownMember } from "../../shared/own_member.ts";
import { type SignUpRecord, stateOf } from "./record.ts";
import { matchesFilter } from "./people_filter.ts";
import { rejectedLettersOf } from "./rejected_letters.ts";

/** Matches a text whose letters are all in ASCII, without spaces. Such a text is compared as it is. */
const PLAIN_TEXT = /^[!-~]*$/;

/**
 * How people write a letter in ASCII, besides the letter without its accent. The letter `å` is left out: if it could be
 * `a` as well as `aa`, a long search could take very long.
 */
const ASCII_WRITINGS: Partial<Record<string, string[]>> = {
  ä: ["ae"],
  ö: ["oe"],
  ü: ["ue"],
  ß: ["ss"],
  æ: ["ae"],
  œ: ["oe"],
  ø: ["oe", "o"],
  ł: ["l"],
  đ: ["d"],
  ı: ["i"],
};

/**
 * Returns the function that tells whether a search finds an address. Spaces divide the text of the search into words,
 * and the address must have every word in it. A letter with an umlaut or an accent also finds its writings in ASCII, so
 * `müller` finds `mueller` and `muller`. A letter of ASCII finds only itself.
 *
 * @param search the text in lower case; the empty text finds every address
 */
export function createSearch(search: string): (email: string) => boolean {
  if (PLAIN_TEXT.test(search)) return (email) => email.includes(search);
  const patterns = search.trim().split(/\s+/u).map((word) => new RegExp(writingsOf(word), "u"));
  return (email) => patterns.every((pattern) => pattern.test(email));
}

/** Returns the pattern of all writings of a word. */
function writingsOf(word: string): string {
  // In the form NFD, an accent is a character of its own behind its letter.
  return word.normalize("NFD").replace(/\P{M}\p{M}*/gu, (accentedLetter) => {
    const letter = accentedLetter.normalize("NFC");
    const withoutAccent = accentedLetter.replace(/\p{M}/gu, "");
    const writings = new Set([letter, withoutAccent, ...ownMember(ASCII_WRITINGS, letter) ?? []]);
    return `(?:${[...writings].map(RegExp.escape).join("|")})`;
  });
}

/**
 * Whether a person fits a selection. The member `referrals` of the selection is ignored here. The store compares the
 * number of referrals, because the record does not have this number.
 */
export function fitsSelection(
  { email, record }: { email: string; record: SignUpRecord },
  selection: PeopleSelection,
): boolean {
  const { search = "", state, mark, refusedLetter, wave, reached, since, before } = selection;
  return createSearch(search)(email) &&
    (!state || stateOf(record) === state) &&
    (!mark || marksOf(record).includes(mark)) &&
    (!refusedLetter || rejectedLettersOf(record).length > 0) &&
    (wave === undefined || record.wave === wave && stepsOf(record).includes("invited")) &&
    (!reached || stepsOf(record).includes(reached)) &&
    (since === undefined || record.createdAt >= since) &&
    (before === undefined || record.createdAt < before) &&
    matchesFilter(record, selection);
}
