/**
 * The section of a person's page about e-mails: those that wait, and those of the last 90 days, each with its state.
 * The history of the page has the answers of the mail server to the e-mails that have left the outbox. @module
 */
import { LETTER_KINDS } from "../../../shared/letter_kinds.ts";
import type { ListedItem, LoggedLetter, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type Cell, nameIn, section, showTime, table } from "../components.ts";
import { postForm } from "../forms.ts";
import { isTriedAfterPause, type ShownPause } from "../letter_pause.ts";
import { letterName, letterReason, letterState } from "../letter_table.ts";
import { isBeingTried, type ItemRow, rowOfItem } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";
import { type LetterKind, marksOf } from "../../waitlist/mod.ts";

/** The id of the section. */
export const LETTERS_ID = "letters";

/** An e-mail in the outbox that waits to be sent. */
export type WaitingLetter = ListedItem & { dueAt: string };

/** Lists the e-mails to a person that wait to be sent. */
export function waitingLettersTo({ outboxItems = [] }: ShownSignup): WaitingLetter[] {
  return outboxItems.filter((item): item is WaitingLetter =>
    (LETTER_KINDS as readonly string[]).includes(item.message) && item.dueAt !== undefined
  );
}

/** What decides how the page of a person shows e-mails that wait. */
export interface WaitingOptions {
  /** The path to which the forms of the page are sent. */
  action: string;
  /** The pause of all letters; `undefined` if there is none. */
  pause: ShownPause | undefined;
}

/**
 * The section, whose form tries an e-mail at once; `undefined` if there is no e-mail to show.
 * @param options.delayedLetters the e-mails that have a warning, which has the answer of the mail server and the button
 */
export function lettersSection(
  person: ShownSignup,
  pageContext: PageContext,
  { action, pause, delayedLetters }: WaitingOptions & { delayedLetters: WaitingLetter[] },
): Html | undefined {
  const { letterLog = [] } = person;
  const { texts } = pageContext;
  const { person: labels, words, outbox } = texts;
  const waitingLetters = waitingLettersTo(person);
  if (waitingLetters.length === 0 && letterLog.length === 0) return undefined;
  const isMarked = marksOf(person).length > 0;
  const delayedIds = new Set(delayedLetters.map(({ id }) => id));
  const retryButtons = waitingLetters.map((letter) =>
    delayedIds.has(letter.id) ? undefined : retryButton(letter, pageContext)
  );
  const hasButtons = retryButtons.some(Boolean);
  const rejections = waitingLetters.map((letter) => lastRejectionOf(letter, person));
  const otherLetters = letterLog.filter((letter) => !rejections.includes(letter));
  const rows = [
    ...waitingLetters.map((letter, index): Cell[] => [
      { rowHeading: nameIn(outbox.letterNames, letter.message) },
      showTime(letter.putAt, texts),
      stateWithAnswer(letter, rejections[index], { pageContext, pause, isMarked }),
      ...hasButtons ? [retryButtons[index]] : [],
    ]),
    ...otherLetters.map((letter): Cell[] => [
      { rowHeading: letterName(letter, texts) },
      showTime(letter.putAt, texts),
      stateWithReason(letter, { pageContext, pause }),
      ...hasButtons ? [""] : [],
    ]),
  ];
  const head = [
    words.what,
    outbox.lists.log.time,
    words.fields.state,
    ...hasButtons ? [outbox.again] : [],
  ];
  const letterTable = table({ caption: labels.lettersCaption, head, rows, stacks: true });
  return section(
    LETTERS_ID,
    labels.letters,
    hasButtons ? postForm({ action, fields: { act: "retry" } }, letterTable) : letterTable,
  );
}

/** The state of an e-mail in the log, with the reason that the mail provider gave if the e-mail came back. */
const stateWithReason = (letter: LoggedLetter, waiting: Waiting): Html =>
  markup`${letterState(letter, waiting.pageContext.texts, isAfterPauseOf(waiting))}${
    letter.report?.reason && markup` <small>${letter.report.reason}</small>`
  }`;

/** What decides how an e-mail that waits is described. */
interface Waiting extends Pick<WaitingOptions, "pause"> {
  pageContext: Pick<PageContext, "texts" | "now">;
  /** Whether the address of the person is marked, so that the e-mail is not sent; by default, `false`. */
  isMarked?: boolean;
}

/** Gives a function that says whether a next try at a date-time comes after the pause. */
const isAfterPauseOf = ({ pageContext: { now }, pause }: Waiting) => (moment: string): boolean =>
  isTriedAfterPause(moment, { pause, now });

/** Says of an e-mail that waits whether it is to be tried now, why it is not, or when it is tried next. */
export function waitingState(letter: WaitingLetter, waiting: Waiting): Html {
  const { texts, now } = waiting.pageContext;
  const { person: labels } = texts;
  if (waiting.isMarked) return markup`${labels.letterNotSent}`;
  if (isAfterPauseOf(waiting)(letter.dueAt)) return markup`${labels.letterPaused}`;
  if (isBeingTried(letter, now)) return markup`${labels.triedNow}`;
  return markup`${labels.letterWaits}, ${labels.nextTry} ${showTime(letter.dueAt, texts)}`;
}

/** Returns what became of the last e-mail of a kind; `undefined` if no such e-mail has left the outbox. */
function lastLetterOf(
  kind: LetterKind,
  { lastLetters, letterLog = [] }: ShownSignup,
): LoggedLetter | undefined {
  const last = lastLetters?.[kind];
  if (!last) return undefined;
  const logged = letterLog.find(({ letter, putAt }) => letter === kind && putAt === last.putAt);
  // The log has the reports of the mail provider as well, but it keeps a letter for 90 days only.
  return logged ?? { letter: kind, state: last.takenAt ? "taken" : "refused", ...last };
}

/**
 * Whether the person may find the last e-mail of a kind in the spam folder: a mail server has taken this e-mail, it did
 * not come back, and no other one waits. Of a person who gets no e-mails, the page says so.
 */
export function mayBeInSpam(kind: LetterKind, person: ShownSignup): boolean {
  return marksOf(person).length === 0 &&
    !waitingLettersTo(person).some(({ message }) => message === kind) &&
    lastLetterOf(kind, person)?.state === "taken";
}

/**
 * Says of an e-mail of a kind that waits when it is tried. If none waits, says what became of the last one. Returns
 * `undefined` if there is no e-mail. The answer to a rejected e-mail is left out, because the page has a warning with
 * this answer.
 */
export function stateOfLastLetter(
  kind: LetterKind,
  person: ShownSignup,
  waiting: Waiting,
): Html | undefined {
  const waitingLetter = waitingLettersTo(person).find(({ message }) => message === kind);
  if (waitingLetter) {
    return waitingState(waitingLetter, { ...waiting, isMarked: marksOf(person).length > 0 });
  }
  const letter = lastLetterOf(kind, person);
  if (!letter) return undefined;
  const reason = letter.state !== "refused" && letterReason(letter);
  return markup`${letterState(letter, waiting.pageContext.texts, isAfterPauseOf(waiting))}${
    reason && markup` <small>${reason}</small>`
  }`;
}

/**
 * Finds the entry of the log about the rejection of an e-mail that now waits for another try. The outbox does not have
 * the answer of the mail server any more. Returns `undefined` if the last e-mail of this kind was not rejected, was for
 * an earlier address, or is still among the rejected e-mails of the outbox beside the one that waits.
 */
export function lastRejectionOf(
  { message }: WaitingLetter,
  { letterLog = [], outboxItems = [], corrections = [] }: ShownSignup,
): LoggedLetter | undefined {
  const lastOfKind = letterLog.find(({ letter }) => letter === message);
  if (lastOfKind?.refusedAt === undefined) return undefined;
  const isToFormerAddress = lastOfKind.putAt < (corrections.at(-1)?.at ?? "");
  const isInOutbox = outboxItems.some(({ refusedAt }) => refusedAt === lastOfKind.refusedAt);
  return isToFormerAddress || isInOutbox ? undefined : lastOfKind;
}

/** The state of an e-mail that waits, with the number of failed tries and the last answer of the mail server. */
function stateWithAnswer(
  letter: WaitingLetter,
  rejection: LoggedLetter | undefined,
  waiting: Waiting,
): Html {
  const { texts, now } = waiting.pageContext;
  const { person: labels, number } = texts;
  const answer = letter.reason ?? rejection?.answer;
  // The number has the present try as well while the e-mail is being tried.
  const failedTries = letter.reason !== undefined && !isBeingTried(letter, now) &&
    letter.tries > 0 &&
    markup`; ${labels.failedTries({ count: number(letter.tries) })}`;
  return markup`${waitingState(letter, waiting)}${failedTries}${
    answer && markup` <small>${labels.lastAnswer} ${answer}</small>`
  }`;
}

/** The row that an e-mail has in the list of the outbox, which says whether the operator may try the e-mail at once. */
export function rowOfLetter(
  letter: WaitingLetter,
  pageContext: PageContext,
): ItemRow {
  const mayRetry = { letters: mayRetryLetters(pageContext), events: false };
  return rowOfItem(letter, { now: pageContext.now, mayRetry });
}

/** Whether the service sends e-mails, and the operator may try them again. */
export const mayRetryLetters = ({ may, previewInvitation }: PageContext): boolean =>
  previewInvitation !== undefined && may("retryOutbox");

/** The button that makes an e-mail due at once; `undefined` if the operator may not do this, or if it is due soon. */
function retryButton(letter: WaitingLetter, pageContext: PageContext): Html | undefined {
  if (!rowOfLetter(letter, pageContext).canRetry) return undefined;
  const { outbox } = pageContext.texts;
  const { retry } = outbox.lists.waiting;
  // The label begins with the visible text, so that people who speak to the browser can say this text (WCAG 2.2,
  // 2.5.3).
  const label = `${retry}: ${nameIn(outbox.letterNames, letter.message)}`;
  return markup`<button class="small" name="id" value="${letter.id}" aria-label="${label}">${retry}</button>`;
}
