/**
 * The page "Letters and events": what waits, what was refused and why, what became of letters, and the test letter and
 * test event. @module
 */
import type { ListedDelivery, ListedItem, Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import {
  type Cell,
  doneNote,
  facts,
  failedView,
  faultNote,
  nameIn,
  pager,
  section,
  showTime,
  table,
} from "../components.ts";
import { button, field, knownValue, pathWith, postForm, type SentFields } from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import {
  type ConsolePage,
  linesOf,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";

type OutboxTexts = ConsoleTexts["outbox"];

/** The number of letters and events on a page of a list. */
const PAGE_SIZE = 100;

/** The lists of the page. `log` has what became of letters, and `deliveries` the last tries to deliver events. */
const LISTS = ["waiting", "refused", "log", "deliveries"] as const;

type List = typeof LISTS[number];

/** Whether the service sends letters and events, or whether the operator may send them again. */
type Sends = Record<"letters" | "events", boolean>;

const current = markup` aria-current="page"`;

export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, texts, query, now, sendsEvents, may } = pageContext;
    const { outbox: labels, words } = texts;
    const title = texts.pages.outbox;
    const back = PATHS.outbox;
    const list = knownValue(LISTS, query.get("list")) ?? "waiting";
    const refused = list === "refused";
    const at = query.get("at");
    const id = query.get("id");
    const after = at !== null && id !== null ? { at, id } : undefined;
    const before = query.get("before");
    const [overview, listed, delivered, log] = await Promise.all([
      operations.getOverview({}),
      operations.listOutbox({ refused, limit: PAGE_SIZE, ...after && { after } }),
      list === "deliveries" ? operations.listDeliveries({}) : undefined,
      list === "log"
        ? operations.listLetters({ limit: PAGE_SIZE, ...before !== null && { before } })
        : undefined,
    ]);
    if ("failure" in overview) return failedView(overview, texts, { title });
    if ("failure" in listed) return failedView(listed, texts, { title, back });
    if (delivered && "failure" in delivered) {
      return failedView(delivered, texts, { title, back });
    }
    if (log && "failure" in log) return failedView(log, texts, { title, back });
    const { items, next } = listed;
    const { pause } = overview.outbox;
    const sends: Sends = { letters: overview.sendsLetters, events: sendsEvents };
    const retries: Sends = may("retryOutbox") ? sends : { letters: false, events: false };
    const shown = delivered ? delivered.deliveries.map((each) => toItem(each, texts)) : items;
    const tabs = LISTS.filter((each) => each !== "deliveries" || sends.events || delivered);
    const links = tabs.map((each) => {
      const path = pathWith(PATHS.outbox, { list: each });
      return markup`<a href="${path}"${each === list && current}>${labels.lists[each].tab}</a>`;
    });
    const nothing = markup`<p class="empty">${labels.lists[list].nothing}</p>`;
    const entries = log?.letters ?? shown;
    const found = entries.length === 0
      ? nothing
      : list === "log"
      ? letterTable(log?.letters ?? [], pageContext)
      : itemsTable(shown, { texts, now, list, retries });
    const nextPosition = log ? log.next && { before: log.next } : !delivered && next;
    const pages = pager([
      [words.firstPage, (after ?? before) !== null && pathWith(PATHS.outbox, { list })],
      [words.nextPage, nextPosition && pathWith(PATHS.outbox, { list, ...nextPosition })],
    ]);
    const retryAll = refused && items.some((item) => isOf(item, retries)) &&
      hintedForm({ action: "all", list }, labels.allHint, labels.all);
    const lists = markup`<nav class="tabs" aria-label="${labels.listsLabel}">
${links}
</nav>
${found}
${pages}
${retryAll}`;
    const paused = pause && describeAttention({ about: "paused", ...pause }, texts);
    return {
      title,
      body: markup`${retriedNote(query, labels)}
${paused && markup`<p class="warning">${paused}</p>`}
${!sends.letters && markup`<p class="soft">${labels.lettersOff}</p>`}
${!sends.events && markup`<p class="soft">${labels.eventsOff}</p>`}
${outboxFacts(overview, texts)}
<section aria-label="${labels.listsLabel}">${lists}</section>
<div class="columns">
${sends.letters && may("testLetter") && testSection("testLetter", pageContext)}
${sends.events && may("testWebhook") && testSection("test", pageContext)}
</div>`,
    };
  },
  async post(pageContext, form) {
    return form.get("action") === "test"
      ? await sendTest(pageContext, form)
      : await retry(pageContext, form);
  },
};

/** The form for a test letter (`testLetter`), which asks for an address, or for a test event (`test`). */
function testSection(
  what: "test" | "testLetter",
  { texts: { outbox: labels }, newToken }: PageContext,
): Html {
  const attributes = markup` type="email" required maxlength="254"`;
  const typed = what === "testLetter"
    ? field("email", { label: labels.testAddress, attributes })
    : undefined;
  const fields = { action: "test", token: newToken() };
  const form = hintedForm(fields, labels[`${what}Hint`], labels[`${what}Submit`], typed);
  return section(what, labels[what], form);
}

/** Makes one item or all refused items due at once. */
async function retry(pageContext: PageContext, form: SentFields): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const retried = await operations.retryOutbox(
    form.get("action") === "all" ? { all: true } : { ids: [form.get("id") ?? ""] },
  );
  if ("failure" in retried) {
    return failedView(retried, texts, { title: texts.pages.outbox, back: PATHS.outbox });
  }
  const lines = await linesOf(retried, pageContext);
  const end = lines.find((line) => "complete" in line);
  const list = knownValue(LISTS, form.get("list"));
  return seeOther(pathWith(PATHS.outbox, { list, retried: end?.retried, left: end?.left }));
}

/** Says how many items {@linkcode retry} has made due, by the query of its redirect. */
function retriedNote(query: URLSearchParams, labels: OutboxTexts): Html | false {
  if (!query.has("retried")) return false;
  const count = Number(query.get("retried"));
  const left = Number(query.get("left"));
  const done = labels.retried({ count });
  return doneNote(left > 0 ? `${done} ${labels.left({ count: left })}` : done);
}

/** Sends a test letter where the form has an address, and otherwise a test event. */
async function sendTest({ operations, texts }: PageContext, form: SentFields): Promise<View> {
  const { outbox: labels, lang } = texts;
  const email = form.get("email");
  const title = email === undefined ? labels.test : labels.testLetter;
  const tested = email === undefined
    ? await operations.testWebhook({})
    : await operations.testLetter({ email, lang });
  if ("failure" in tested) {
    const known = email === undefined ? { conflict: labels.eventsOff } : {};
    return failedView(tested, texts, { title, back: PATHS.outbox, known });
  }
  // The status is empty by default, because a mail server that was reached by SMTP gives no HTTP status.
  const { delivered, ms, answer, status } = { status: "", ...tested };
  const code = markup`<code>${status && `HTTP ${status}`} ${answer}</code>`;
  const result = markup`${delivered ? labels.taken({ ms }) : labels.notTaken} ${code}`;
  return {
    title,
    body: markup`${delivered ? doneNote(result) : faultNote(result)}
<p><a href="${PATHS.outbox}">${texts.pages.outbox}</a></p>`,
  };
}

/** Shows how many letters and events wait and were refused, and how many letters were sent today. */
export function outboxFacts(
  { outbox, sendsLetters }: Overview,
  texts: ConsoleTexts,
): Html {
  const { outbox: labels, number } = texts;
  const { due, oldestDue, held, refused, sentToday } = outbox;
  return facts([
    [labels.due, number(due)],
    [labels.oldestDue, oldestDue && showTime(oldestDue, texts)],
    [labels.held, held > 0 && number(held)],
    [labels.refused, number(refused)],
    [labels.sentToday, sendsLetters && number(sentToday)],
  ], "figures");
}

/** A form with one button, below a sentence that says what the button does. @param typed a field to fill in */
function hintedForm(
  fields: { action: string; list?: string; token?: string },
  hint: string,
  submit: string,
  typed?: Html,
): Html {
  return markup`<p class="soft">${hint}</p>
${postForm({ action: PATHS.outbox, fields }, markup`${typed}\n${button(submit)}`)}`;
}

/** Whether `sends` is true for the kind of an item: letter or event. */
function isOf({ message }: Pick<ListedItem, "message">, sends: Sends): boolean {
  return message.startsWith("signup.") ? sends.events : sends.letters;
}

/** Turns a delivery into an item for the table. A delivery has no address if the record of its person is gone. */
function toItem(
  { id, event: message, email = "", tries, at, ms, status, answer }: ListedDelivery,
  { outbox: { noAnswer }, number }: ConsoleTexts,
): ListedItem {
  const code = status === undefined ? noAnswer : `HTTP ${status}`;
  const reason = `${code}, ${number(ms)} ms${answer && `: ${answer}`}`;
  return { id, message, email, tries, putAt: at, refusedAt: at, reason };
}

/** The table of a list. Each item that the operator may send again has a button for that. */
export function itemsTable(
  items: ListedItem[],
  { texts, now, list, retries }:
    & Pick<PageContext, "texts" | "now">
    & { list: Exclude<List, "log">; retries: Sends },
): Html {
  const { words, number } = texts;
  const { lists: { [list]: labels }, to, tries, again, messages } = texts.outbox;
  // An item that is due within the time of a lease has no button. It may be on its way, because a worker that takes an
  // item sets the due time of the item to the end of the lease.
  const canRetry = (item: ListedItem) =>
    item.email !== "" && isOf(item, retries) &&
    (item.dueAt === undefined || Date.parse(item.dueAt) > now + LEASE_MS);
  const hasButtons = items.some(canRetry);
  const rows = items.map((item): Cell[] => {
    const { id, dueAt, refusedAt, email, reason = "" } = item;
    const moment = dueAt ?? refusedAt;
    const name = nameIn(messages, item.message);
    // The label begins with the visible text, so that people who speak to the browser can say it (WCAG 2.2, 2.5.3).
    const label = `${labels.retry}: ${name}, ${email}`;
    const retry =
      markup`<button class="small" name="id" value="${id}" aria-label="${label}">${labels.retry}</button>`;
    const time = moment === undefined ? "" : showTime(moment, texts);
    const cells = [{ row: name }, email, time, { number: number(item.tries) }, reason];
    return hasButtons ? [...cells, canRetry(item) && retry] : cells;
  });
  const head = [words.what, to, labels.time, tries, labels.reason];
  if (hasButtons) head.push(again);
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list } },
    table({ caption: labels.caption, head, rows }),
  );
}
