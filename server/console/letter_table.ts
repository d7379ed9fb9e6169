/** The table of the log of letters, and the state of a letter, which the page of a person shows as well. @module */
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../content/mod.ts";
import { type Cell, showTime, table } from "./components.ts";

/**
 * Shows each letter with its state, and what the mail server or the mail provider said about the letter.
 * @param options.recipientOf shows for whom a letter is
 * @param options.caption the caption of the table; by default, that of the log
 */
export function letterTable<Letter extends LoggedLetter>(
  letters: Letter[],
  { texts, recipientOf, caption = texts.outbox.lists.log.caption }: {
    texts: ConsoleTexts;
    recipientOf: (letter: Letter) => Cell;
    caption?: string;
  },
): Html {
  const { outbox: labels, words } = texts;
  const { time, reason } = labels.lists.log;
  const head = [words.what, labels.toPerson, time, words.fields.state, reason];
  const rows = letters.map((letter): Cell[] => [
    { rowHeading: letterName(letter, texts) },
    recipientOf(letter),
    showTime(letter.putAt, texts),
    letterState(letter, texts),
    letterReason(letter),
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
 */
export function letterState(
  letter: LoggedLetter,
  texts: ConsoleTexts,
): Html {
  const { takenAt, refusedAt, report, nextTryAt } = letter;
  const since = report?.at ?? takenAt ?? refusedAt;
  return markup`${stateName(letter, texts.outbox)}${since && markup`, ${showTime(since, texts)}`}${
    nextTryAt && markup`; ${texts.person.nextTry} ${showTime(nextTryAt, texts)}`
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
