/**
 * What the page says while all e-mails pause: why, how the pause ends, and what the operator can do. It also lists the
 * rejected e-mails that wait for a new try: the service tries those again by itself that have caused the pause. @module
 */
import type { ListedItem, ListedLetter, Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { personLink } from "../components.ts";
import { button, pathWith, postForm } from "../forms.ts";
import { isTriedAfterPause, pauseIn, type ShownPause } from "../letter_pause.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { type AnswerGroup, groupAnswers, nameOfCode } from "./answer_groups.ts";
import { correctLink, isEventKind, recipientOf } from "./item_table.ts";

/** How many rejected e-mails that wait for a new try are listed at most. */
const MAX_LISTED = 50;

/** The rejected e-mails that wait for a new try, the newest first. */
export interface RejectedWaiting {
  letters: ListedLetter[];
  /** Whether there can be more of them than were read. */
  mayBeMore: boolean;
}

/** No rejected e-mail waits, or none was read. */
export const NONE_WAITING: RejectedWaiting = { letters: [], mayBeMore: false };

/**
 * Reads the rejected e-mails that wait for a new try. They are not among the rejected items of the outbox. The list is
 * empty if the log of e-mails cannot be read.
 */
export async function readRejectedWaiting(
  { operations }: Pick<PageContext, "operations">,
): Promise<RejectedWaiting> {
  const log = await operations.listLetters({ state: "retried", limit: MAX_LISTED });
  if ("failure" in log) return NONE_WAITING;
  const letters = log.letters.filter(({ nextTryAt }) => nextTryAt !== undefined);
  return { letters, mayBeMore: log.next !== undefined };
}

/** The number of the rejected e-mails that wait for a new try, with a plus if there can be more of them. */
export const countOfWaiting = (
  { letters, mayBeMore }: RejectedWaiting,
  { number }: Pick<ConsoleTexts, "number">,
): string => `${number(letters.length)}${mayBeMore ? "+" : ""}`;

/** How many waiting e-mails and events are read to find the e-mail that is the next test. */
const MAX_READ = 20;

/**
 * Finds the e-mail that is the next test of a pause, as far as it is known now; `undefined` if several can be it, and
 * while a test is due or under way, because an e-mail that is being sent looks like one that is due later.
 * @param pause the pause of all e-mails; `undefined` if there is none
 */
export async function findNextTest(
  { operations }: Pick<PageContext, "operations">,
  pause: ShownPause | undefined,
): Promise<ListedItem | undefined> {
  if (!pause || pause.testing) return undefined;
  const list = await operations.listOutbox({ refused: false, limit: MAX_READ });
  if ("failure" in list) return undefined;
  const isDueAtTest = ({ dueAt = "" }: ListedItem) => Date.parse(dueAt) <= Date.parse(pause.until);
  const dueItems = list.items.filter(isDueAtTest);
  const letters = dueItems.filter(({ message }) => !isEventKind(message));
  return letters.length === 1 && dueItems.length < MAX_READ ? letters[0] : undefined;
}

/**
 * Explains the pause of all e-mails; `false` if there is none.
 * @param options.nextTest the e-mail that is the next test, if it is known
 * @param options.rejected the rejected e-mails that wait for a new try
 * @param options.mayRetry whether the operator may end the wait for the next try
 */
export function pauseSection(
  overview: Overview,
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
  { nextTest, rejected, mayRetry }: {
    nextTest: ListedItem | undefined;
    rejected: RejectedWaiting;
    mayRetry: boolean;
  },
): Html | false {
  const sentence = pauseIn(overview, texts);
  if (sentence === false) return false;
  const { pause: labels } = texts.outbox;
  const { letters, mayBeMore } = rejected;
  const groups = groupAnswers(letters.map(({ answer }) => answer));
  const answers = groups.length > 0 &&
    markup`<p>${labels.rejected}</p>
<ul class="bullets">
${groups.map((group) => groupLine(group, mayBeMore, texts))}
</ul>`;
  const canTest = mayRetry && !overview.outbox.pause?.testing;
  const advice = groups.length > 0 ? labels.advice : labels.adviceOnReason;
  const fields = { action: "end_wait" };
  const testForm = canTest &&
    markup`<div class="actions">${
      postForm({ action: PATHS.outbox, fields }, button(labels.end, "primary"))
    }</div>
<p>${labels.endHint} ${
      nextTest && markup`${labels.nextTest} ${recipientOf(nextTest, personPath)}`
    }</p>`;
  return markup`<div class="warning">
<p>${sentence}</p>
${answers}
<p>${advice} ${canTest && labels.thenTest}</p>
${testForm}
</div>`;
}

/** The id of the table of the rejected e-mails that wait for a new try. */
const REJECTED_WAITING_ID = "rejected-waiting";

/** The path of the table of the rejected e-mails that wait for a new try. */
export const REJECTED_WAITING_PATH = `${
  pathWith(PATHS.outbox, { list: "refused" })
}#${REJECTED_WAITING_ID}`;

/**
 * The answer to the e-mails of a group, with a link to their table, and how many they are, with a plus if there can be
 * more of them.
 */
const groupLine = (
  { example, code, count }: AnswerGroup,
  mayBeMore: boolean,
  { outbox, number }: ConsoleTexts,
): Html => {
  const answer = example || nameOfCode(code, outbox);
  return markup`<li><a href="${REJECTED_WAITING_PATH}">${answer}</a>: ${number(count)}${
    mayBeMore && "+"
  }</li>`;
};

/**
 * The table of the rejected e-mails that wait for a new try; `undefined` if there are none. Its caption names their
 * number, because they are not among the rejected items that the tab of the list counts.
 * @param pause the pause of all e-mails; `undefined` if there is none
 */
export function rejectedWaitingTable(
  { letters, mayBeMore }: RejectedWaiting,
  { texts, now, personPath, may }: Pick<PageContext, "texts" | "now" | "personPath" | "may">,
  pause: ShownPause | undefined,
): Html | undefined {
  if (letters.length === 0) return undefined;
  const linkTo = ({ id, email }: ListedLetter) =>
    email !== undefined && personLink({ id, email }, personPath);
  const actOf = ({ id, email }: ListedLetter) =>
    email !== undefined && correctLink({ email, id }, { texts, personPath });
  const count = countOfWaiting({ letters, mayBeMore }, texts);
  const lettersTable = letterTable(letters, {
    texts,
    recipientOf: linkTo,
    caption: texts.outbox.rejectedWaiting({ count }),
    isAfterPause: (moment) => isTriedAfterPause(moment, { pause, now }),
    ...may("correctSignup") && { actOf },
  });
  return markup`<div id="${REJECTED_WAITING_ID}">${lettersTable}</div>`;
}
