/** The table of the log of letters, and the state of a letter, which the page of a person shows as well. @module */
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../content/mod.ts";
import { type Cell, showTime, table } from "./components.ts";

/**
 * Shows each letter with its state, and what the mail server or the mail provider said about the letter.
 * @param options.recipientOf shows for whom a letter is
 * @param options.caption the caption of the table; by default, that of the log
 * @param options.actOf what the operator can do about a letter; without it, the table has no column for this
 * @param options.isAfterPause whether a next try at this date-time comes after a pause of all letters
 */
export function letterTable<Letter extends LoggedLetter>(
  letters: Letter[],
  { texts, recipientOf, caption = texts.outbox.lists.log.caption, actOf, isAfterPause }: {
    texts: ConsoleTexts;
    recipientOf: (letter: Letter) => Cell;
    caption?: string;
    actOf?: (letter: Letter) => Cell;
    isAfterPause?: (moment: string) => boolean;
  },
): Html {
  const { outbox: labels, words } = texts;
  const { time, reason } = labels.lists.log;
  const head = [
    words.what,
    labels.toPerson,
    time,
    words.fields.state,
    reason,
    ...actOf ? [labels.again] : [],
  ];
  const rows = letters.map((letter): Cell[] => [
    { rowHeading: letterName(letter, texts) },
    recipientOf(letter),
    showTime(letter.putAt, texts),
    letterState(letter, texts, isAfterPause),
    letterReason(letter),
    ...actOf ? [actOf(letter)] : [],
  ]);
  return table({ caption, head, rows, stacks: true });
}

/** Names the kind of a letter, and says if the letter was for an address before the last correction. */
export const letterName = (
  { letter, toFormerAddress }: LoggedLetter,
  { outbox, person }: ConsoleTexts,
): Html =>
  markup`${outbox.letterNames[letter]}${
    toFormerAddress && markup` <small>${person.toFormerAddress}</small>`
  }`;

/**
 * Shows the state of a letter, and the time at which the letter came into this state, if the time is known. Of a letter
 * that waits to be tried again, also shows when the next try is.
 * @param isAfterPause whether a next try at this date-time comes after a pause of all letters; by default, there is none
 */
export function letterState(
  letter: LoggedLetter,
  texts: ConsoleTexts,
  isAfterPause: (moment: string) => boolean = () => false,
): Html {
  const { takenAt, refusedAt, report, nextTryAt } = letter;
  const { afterPause } = texts.outbox;
  const since = report?.at ?? takenAt ?? refusedAt;
  return markup`${stateName(letter, texts.outbox)}${since && markup`, ${showTime(since, texts)}`}${
    nextTryAt &&
    markup`; ${texts.person.nextTry} ${
      isAfterPause(nextTryAt) ? afterPause : showTime(nextTryAt, texts)
    }`
  }`;
}

/** Names the state of a letter. A refused letter to an earlier address was the last one to this address. */
function stateName(
  { state, nextTryAt, noNewTry, toFormerAddress }: LoggedLetter,
  { letterStates, triedLater, notTriedAgain }: ConsoleTexts["outbox"],
): string {
  if (state !== "retried") return letterStates[state];
  if (toFormerAddress) return letterStates.refused;
  if (noNewTry) return notTriedAgain;
  return nextTryAt ? triedLater : letterStates.retried;
}

/**
 * Gives the reason in the report of the mail provider; without a report, the answer of the mail server. The text is
 * empty if there is neither.
 */
export function letterReason({ report, answer = "" }: LoggedLetter): string {
  return report ? report.reason ?? "" : answer;
}
