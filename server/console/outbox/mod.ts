/**
 * The page "E-mails and events" about the outbox: what waits, what was refused and why, what became of letters. It also
 * sends a test letter and a test event. `lists.ts` has the lists, `item_table.ts` the table of letters and events,
 * `letter_log.ts` the log of e-mails, `pause.ts` what the page says during a pause, `tested_pause.ts` the test of a pause
 * by an operator, and `retry_questions.ts` the questions before several items are sent again. @module
 */
import type { LetterTest, Overview, WebhookTest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  type Fact,
  facts,
  failedView,
  faultNote,
  goesOnNote,
  linkedCount,
  mayReload,
  reloadElement,
  section,
  showTime,
  statusNote,
  unknownActionView,
} from "../components.ts";
import {
  chosenValuesIn,
  field,
  hintedForm,
  isConfirmed,
  knownValue,
  pathWith,
  type SentFields,
} from "../forms.ts";
import { markFigures } from "../mark_figures.ts";
import {
  type ConsolePage,
  linesOf,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import type { OutboxFlags } from "./item_table.ts";
import {
  countsOf,
  firstListOf,
  listSection,
  needsChooseScript,
  OUTBOX_LISTS,
  readList,
} from "./lists.ts";
import { findNextTest, NONE_WAITING, pauseSection, readRejectedWaiting } from "./pause.ts";
import { askToRetryAll, askToRetryChosen } from "./retry_questions.ts";
import { testedPauseNote, testPause } from "./tested_pause.ts";
export { saysMailboxFull, saysNoMailbox } from "./answer_groups.ts";
export { correctLink, isBeingTried, type ItemRow, rowOfItem } from "./item_table.ts";
export { countsOf } from "./lists.ts";
export { countOfWaiting, readRejectedWaiting, REJECTED_WAITING_PATH } from "./pause.ts";

/**
 * What a form of the page does, as its field `action` says: sends one item again (`retry`), sends the items with a
 * ticked checkbox again (`chosen`) or all refused items (`all`; without the field `marked`, leaves out letters to people
 * who are marked as undeliverable) once the operator has confirmed this, tests a pause (`end_wait`), or sends a test
 * (`test`). A test with the field `email` is a letter, and a test without it is an event.
 */
const ACTIONS = ["retry", "chosen", "all", "end_wait", "test"] as const;

type OutboxTexts = ConsoleTexts["outbox"];

export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, texts, query, sendsEvents, may } = pageContext;
    const { outbox: labels } = texts;
    const title = texts.pages.outbox;
    const [overview, marks] = await Promise.all([
      operations.getOverview({}),
      markFigures(pageContext),
    ]);
    if ("failure" in overview) return failedView(overview, texts, { title });
    const sends: OutboxFlags = { letters: overview.sendsLetters, events: sendsEvents };
    const list = knownValue(OUTBOX_LISTS, query.get("list")) ?? firstListOf(overview, query, sends);
    const listPage = await readList(list, pageContext);
    if ("failure" in listPage) return failedView(listPage, texts, { title, back: PATHS.outbox });
    const mayRetry: OutboxFlags = may("retryOutbox") ? sends : { letters: false, events: false };
    const mayTurnOn = may("testWebhook");
    const isOfItems = list === "waiting" || list === "refused";
    const rejectedWaiting = isOfItems || overview.outbox.pause
      ? await readRejectedWaiting(pageContext)
      : NONE_WAITING;
    const nextTest = await findNextTest(pageContext, overview.outbox.pause);
    const pause = { nextTest, rejected: rejectedWaiting, mayRetry: mayRetry.letters };
    return {
      title,
      ...needsChooseScript(listPage, pageContext, mayRetry) && { script: "choose.js" },
      body: markup`${retriedNote(pageContext)}
${await testedPauseNote(overview, pageContext)}
${pauseSection(overview, pageContext, pause)}
${outboxFacts(overview, marks, texts)}
${!sends.letters && offNote(labels.lettersOff, mayTurnOn && labels.lettersOn)}
${listSection(listPage, pageContext, { overview, sends, mayRetry, rejectedWaiting })}
<div class="columns">
${sends.letters && may("testLetter") && testLetterSection(pageContext)}
${sends.events && may("testWebhook") && testEventSection(pageContext)}
</div>
${!sends.events && offNote(labels.eventsOff, mayTurnOn && labels.eventsOn)}`,
    };
  },
  async post(pageContext, form) {
    const { texts } = pageContext;
    const action = knownValue(ACTIONS, form.get("action"));
    if (!action) {
      const title = texts.pages.outbox;
      return unknownActionView(texts, { title, back: PATHS.outbox, actions: ACTIONS });
    }
    if (action === "test") return await sendTest(pageContext, form);
    if (action === "end_wait") return await testPause(pageContext);
    return action === "all" && !isConfirmed(form)
      ? await askToRetryAll(pageContext)
      : await retry(pageContext, action, form);
  },
};

/** Says that the service does not send letters or events, and how to turn them on. */
const offNote = (sentence: string, howToTurnOn: string | false): Html =>
  markup`<p class="soft">${sentence} ${howToTurnOn}</p>`;

/** The form for a test letter, with a field for its address. */
function testLetterSection({ texts: { outbox: labels }, newToken }: PageContext): Html {
  const attributes = markup` type="email" required maxlength="254"`;
  const address = field("email", { label: labels.testAddress, attributes });
  const form = hintedForm(
    { action: PATHS.outbox, fields: { action: "test", [TOKEN_FIELD]: newToken() } },
    { hint: labels.testLetterHint, inputs: address, submit: labels.testLetterSubmit },
  );
  return section("testLetter", labels.testLetter, form);
}

/** The form for a test event. */
function testEventSection({ texts: { outbox: labels }, newToken }: PageContext): Html {
  const form = hintedForm(
    { action: PATHS.outbox, fields: { action: "test", [TOKEN_FIELD]: newToken() } },
    { hint: labels.testHint, submit: labels.testSubmit },
  );
  return section("test", labels.test, form);
}

/**
 * Makes the service send one item again, the chosen items, or all refused items. The service does so at once. Asks before
 * it sends the chosen items.
 */
async function retry(
  pageContext: PageContext,
  action: "retry" | "chosen" | "all",
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const list = knownValue(OUTBOX_LISTS, form.get("list"));
  const filters = { list, wave: form.get("wave"), reason: form.get("reason") };
  const title = texts.pages.outbox;
  const ids = action === "chosen" ? chosenValuesIn(form) : [form.get("id") ?? ""];
  if (ids.length === 0) {
    const message = texts.outbox.noneChosen;
    const back = pathWith(PATHS.outbox, filters);
    const messages = { invalid_request: message };
    return failedView({ failure: "invalid_request", message }, texts, { title, back, messages });
  }
  if (action === "chosen" && !isConfirmed(form)) return askToRetryChosen(ids, { texts, filters });
  const all = form.has("marked") ? { all: true } as const : { unmarked: true } as const;
  const outcome = await operations.retryOutbox(action === "all" ? all : { ids });
  if ("failure" in outcome) return failedView(outcome, texts, { title, back: PATHS.outbox });
  const lines = await linesOf(outcome, pageContext);
  // The last line has the numbers of items.
  const counts = lines.find((line) => "complete" in line);
  return seeOther(
    pathWith(PATHS.outbox, {
      ...filters,
      retried: counts?.retried,
      left: counts?.left,
      at: pageContext.readClock(),
    }),
  );
}

/** For how long the page loads again after a retry, in milliseconds. Most mail servers answer within this time. */
const RELOADING_MS = 20_000;

/**
 * Says how many items the service sends again, and how many items it does not send again. {@linkcode retry} has put this
 * and the moment into the query of the page. For some seconds, the page loads again by itself, because the lists change
 * as soon as the receivers have answered.
 */
function retriedNote({ query, texts, now }: PageContext): Html | false {
  const { outbox: labels } = texts;
  const isReloading = now - Number(query.get("at")) < RELOADING_MS && mayReload(query);
  const reloading = { path: PATHS.outbox, query: Object.fromEntries(query), isReloading };
  const goesOn = goesOnNote(labels.outcomes, texts, reloading);
  if (!query.has("retried")) return false;
  const count = Number(query.get("retried"));
  const notRetried = Number(query.get("left"));
  const done = labels.retried({ count });
  const note = statusNote(notRetried > 0 ? `${done} ${labels.left({ count: notRetried })}` : done);
  if (count === 0) return note;
  return markup`${isReloading && reloadElement()}
${note}
${goesOn}`;
}

/** Sends a test letter if the form has an address, and otherwise a test event. */
async function sendTest(pageContext: PageContext, form: SentFields): Promise<View> {
  const email = form.get("email");
  return email === undefined
    ? await sendTestEvent(pageContext)
    : await sendTestLetter(pageContext, email);
}

async function sendTestEvent({ operations, texts }: PageContext): Promise<View> {
  const { outbox: labels } = texts;
  const title = labels.test;
  const outcome = await operations.testWebhook({});
  if (!("failure" in outcome)) return testView(outcome, { title, texts });
  const messages = { conflict: `${labels.eventsOff} ${labels.eventsOn}` };
  return failedView(outcome, texts, { title, back: PATHS.outbox, messages });
}

async function sendTestLetter({ operations, texts }: PageContext, email: string): Promise<View> {
  const title = texts.outbox.testLetter;
  const outcome = await operations.testLetter({ email, lang: texts.lang });
  if (!("failure" in outcome)) return testView(outcome, { title, texts, email });
  return failedView(outcome, texts, { title, back: PATHS.outbox });
}

/**
 * Says whether the receiver has taken a test letter or a test event, and shows the receiver's answer.
 * @param options.email the address of a test letter; absent for a test event
 */
function testView(
  test: LetterTest | WebhookTest,
  { title, texts: { outbox: labels, pages }, email }: {
    title: string;
    texts: ConsoleTexts;
    email?: string;
  },
): View {
  const { delivered, ms, answer } = test;
  // A test letter has no HTTP status, and neither has an event that the receiver did not answer.
  const httpStatus = "status" in test && test.status !== undefined && `HTTP ${test.status}`;
  const verdict = delivered ? labels.taken({ ms }) : labels.notTaken;
  const recipient = email !== undefined && `${labels.testTo({ email })} `;
  const message = markup`${recipient}${verdict} <code>${httpStatus} ${answer}</code>`;
  return {
    title,
    body: markup`${delivered ? statusNote(message) : faultNote(message)}
<p><a href="${PATHS.outbox}">${pages.outbox}</a></p>`,
  };
}

/**
 * Shows how many letters and events wait and were refused, with links to these lists, since when the oldest is due, how
 * many letters were sent today, and how many people get no letters.
 * @param marks the figures about people who get no letters; see {@linkcode markFigures}
 */
export function outboxFacts(
  { outbox, sendsLetters }: Overview,
  marks: Fact[],
  texts: ConsoleTexts,
): Html {
  const { outbox: labels, number } = texts;
  const { oldestDue, held, sentToday, pause } = outbox;
  const counts = countsOf({ outbox });
  const linkToList = (list: keyof typeof counts) =>
    linkedCount(counts[list], pathWith(PATHS.outbox, { list }), texts);
  return facts([
    [labels.due, linkToList("waiting")],
    // During a pause, the sentence about the pause says when the next try is.
    [labels.oldestDue, !pause && oldestDue && showTime(oldestDue, texts)],
    [labels.held, held > 0 && number(held)],
    [labels.refused, linkToList("refused")],
    [labels.sentToday, sendsLetters && number(sentToday)],
    ...marks,
  ], "figures");
}
