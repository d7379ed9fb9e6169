/**
 * The page "E-mails and events" about the outbox: what waits, what was refused and why, what became of letters. It also
 * sends a test letter and a test event. `lists.ts` has the lists, `item_table.ts` the table of letters and events, and
 * `letter_log.ts` the log of e-mails. @module
 */
import type {
  LetterTest,
  ListedItem,
  Overview,
  WebhookTest,
} from "../../../shared/operator_schemas.ts";
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
  checkbox,
  chosenValuesIn,
  confirmView,
  field,
  hintedForm,
  isConfirmed,
  knownValue,
  pathWith,
  type SentFields,
} from "../forms.ts";
import { pauseIn } from "../letter_pause.ts";
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
export { isBeingTried, type ItemRow, rowOfItem } from "./item_table.ts";
export { countsOf } from "./lists.ts";

/**
 * What a form of the page does, as its field `action` says: sends one item again (`retry`), sends the items with a
 * ticked checkbox again (`chosen`), sends all refused items again once the operator has confirmed this (`all`; without
 * the field `marked`, leaves out letters to people who are marked as undeliverable), or sends a test (`test`). A test
 * with the field `email` is a letter, and a test without it is an event.
 */
const ACTIONS = ["retry", "chosen", "all", "test"] as const;

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
    const pauseSentence = pauseIn(overview, texts);
    return {
      title,
      ...needsChooseScript(listPage, pageContext, mayRetry) && { script: "choose.js" },
      body: markup`${retriedNote(pageContext)}
${pauseSentence && markup`<p class="warning">${pauseSentence}</p>`}
${outboxFacts(overview, marks, texts)}
${!sends.letters && offNote(labels.lettersOff, mayTurnOn && labels.lettersOn)}
${!sends.events && offNote(labels.eventsOff, mayTurnOn && labels.eventsOn)}
${listSection(listPage, pageContext, { overview, sends, mayRetry })}
<div class="columns">
${sends.letters && may("testLetter") && testLetterSection(pageContext)}
${sends.events && may("testWebhook") && testEventSection(pageContext)}
</div>`,
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

/** How many refused items are read to count those that are left out. */
const MAX_COUNTED = 1_000;

/**
 * Asks whether to send all refused items again, because this can pause all letters. Letters to people who are marked as
 * undeliverable are left out unless the operator chooses them, because they would be refused again, and three of them in
 * a row pause all letters.
 */
async function askToRetryAll({ operations, texts }: PageContext): Promise<View> {
  const { outbox: labels, words, number } = texts;
  const list = "refused";
  const back = pathWith(PATHS.outbox, { list });
  const itemList = await operations.listOutbox({ refused: true, limit: MAX_COUNTED });
  if ("failure" in itemList) return failedView(itemList, texts, { title: labels.allTitle, back });
  const { items, next } = itemList;
  const showCount = (counted: ListedItem[]) => `${number(counted.length)}${next ? "+" : ""}`;
  const notSent = items.filter((item) => item.notSent);
  const marked = items.filter((item) => item.noLetters && !item.notSent);
  const others = items.filter((item) => !item.noLetters && !item.notSent);
  const mayHaveMarked = marked.length > 0 || next !== undefined;
  const includeMarked = checkbox("marked", {
    label: labels.allWithMarked({ count: showCount(marked) }),
    checked: false,
    hint: markup`${labels.allMarks}`,
  });
  return confirmView({
    title: labels.allTitle,
    body: markup`<ul class="bullets">
<li>${labels.allCount({ count: showCount(others) })}</li>
${notSent.length > 0 && markup`<li>${labels.allNotSent({ count: showCount(notSent) })}</li>`}
<li>${labels.allPause}</li>
</ul>`,
    action: PATHS.outbox,
    fields: { action: "all", list },
    ...mayHaveMarked && { inputs: includeMarked },
    submit: labels.all,
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
  });
}

/** Makes the service send one item again, the chosen items, or all refused items. The service does so at once. */
async function retry(
  pageContext: PageContext,
  action: "retry" | "chosen" | "all",
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const list = knownValue(OUTBOX_LISTS, form.get("list"));
  const filters = { list, wave: form.get("wave") };
  const title = texts.pages.outbox;
  const ids = action === "chosen" ? chosenValuesIn(form) : [form.get("id") ?? ""];
  if (ids.length === 0) {
    const message = texts.outbox.noneChosen;
    const back = pathWith(PATHS.outbox, filters);
    const messages = { invalid_request: message };
    return failedView({ failure: "invalid_request", message }, texts, { title, back, messages });
  }
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
 * Says how many items the service sends again, and how many items it does not send again. {@linkcode retry} has put
 * these numbers and the moment of the retry into the query of the page. For some seconds, the page loads again by
 * itself, because the lists change as soon as the receivers have answered.
 */
function retriedNote({ query, texts, now }: PageContext): Html | false {
  if (!query.has("retried")) return false;
  const { outbox: labels } = texts;
  const count = Number(query.get("retried"));
  const notRetried = Number(query.get("left"));
  const done = labels.retried({ count });
  const note = statusNote(notRetried > 0 ? `${done} ${labels.left({ count: notRetried })}` : done);
  if (count === 0) return note;
  const isReloading = now - Number(query.get("at")) < RELOADING_MS && mayReload(query);
  const reloading = { path: PATHS.outbox, query: Object.fromEntries(query), isReloading };
  return markup`${isReloading && reloadElement()}
${note}
${goesOnNote(labels.outcomes, texts, reloading)}`;
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
  if (!("failure" in outcome)) return testView(outcome, { title, texts });
  return failedView(outcome, texts, { title, back: PATHS.outbox });
}

/** Says whether the receiver has taken a test letter or a test event, and shows the receiver's answer. */
function testView(
  test: LetterTest | WebhookTest,
  { title, texts: { outbox: labels, pages } }: { title: string; texts: ConsoleTexts },
): View {
  const { delivered, ms, answer } = test;
  // A test letter has no HTTP status, and neither has an event that the receiver did not answer.
  const httpStatus = "status" in test && test.status !== undefined && `HTTP ${test.status}`;
  const verdict = delivered ? labels.taken({ ms }) : labels.notTaken;
  const message = markup`${verdict} <code>${httpStatus} ${answer}</code>`;
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
