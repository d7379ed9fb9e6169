/** The page of letters and events: what waits, what was refused and why, and how to try again. @module */
import type { ListedItem, Overview, RetryEnd } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import {
  type Cell,
  doneNote,
  facts,
  failedView,
  faultNote,
  nameIn,
  section,
  showTime,
  table,
} from "../components.ts";
import { button, type Fields, pager, pathWith, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";

const PAGE_SIZE = 100;

const REFUSED = { list: "refused" };

export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, texts, query, form, now, sendsEvents, may } = pageContext;
    const { outbox: labels, words } = texts;
    const title = texts.pages.outbox;
    const refused = query.get("list") === "refused";
    const [at, id] = [query.get("at"), query.get("id")];
    const after = at !== null && id !== null ? { at, id } : undefined;
    const body = { refused, limit: PAGE_SIZE, ...after && { after } };
    const [overview, listed] = await Promise.all([
      operations.GET("/operator/v1/overview"),
      operations.POST("/operator/v1/outbox/list", { body }),
    ]);
    if (!overview.data) return failedView(overview, texts, { title });
    if (!listed.data) return failedView(listed, texts, { title, back: PATHS.outbox });
    const { items, next } = listed.data;
    const { pause } = overview.data.outbox;
    const sends = { letters: overview.data.sendsLetters, events: sendsEvents };
    /** What a button can send again. */
    const retried = may("retryOutbox") ? sends : { letters: false, events: false };
    const list = refused ? REFUSED : {};
    const lists = markup`<nav class="tabs" aria-label="${labels.lists}">
<a href="${PATHS.outbox}"${!refused && current}>${labels.waitingTab}</a>
<a href="${pathWith(PATHS.outbox, REFUSED)}"${refused && current}>${labels.refusedTab}</a>
</nav>
${
      items.length > 0
        ? itemsTable(items, { texts, now, refused, sends: retried })
        : markup`<p class="empty">${refused ? labels.nothingRefused : labels.nothingWaits}</p>`
    }
${
      pager(PATHS.outbox, [
        [words.firstPage, after && list],
        [words.nextPage, next && { ...list, ...next }],
      ])
    }
${
      refused && items.some((item) => isSent(item, retried)) &&
      actionForm({ action: "all", ...REFUSED }, labels.allHint, labels.all)
    }`;
    const test = actionForm({ action: "test" }, labels.testHint, labels.testSubmit);
    return {
      title,
      body: markup`${form && retriedNote(form, labels)}
${!sends.letters && markup`<p class="soft">${labels.lettersOff}</p>`}
${!sends.events && markup`<p class="soft">${labels.eventsOff}</p>`}
${pause && markup`<p class="warning">${describePause(pause, texts)}</p>`}
${outboxFacts(overview.data, texts)}
${section("lists", labels.lists, lists)}
${sends.events && may("testWebhook") && section("test", labels.test, test)}`,
    };
  },
  async post(pageContext, form) {
    return form.get("action") === "test"
      ? await sendTest(pageContext)
      : await retry(pageContext, form);
  },
};

type OutboxTexts = ConsoleTexts["outbox"];

const current = markup` aria-current="page"`;

async function retry(
  { operations, texts, redirectWith }: PageContext,
  form: Fields,
): Promise<View | Response> {
  const retried = await operations.POST("/operator/v1/outbox/retry", {
    body: form.get("action") === "all" ? { all: true } : { ids: [form.get("id") ?? ""] },
    parseAs: "stream",
  });
  const end = (await readToEnd<RetryEnd>(retried))?.at(-1);
  if (!end) return failedView(retried, texts, { title: texts.pages.outbox, back: PATHS.outbox });
  const path = pathWith(PATHS.outbox, form.get("list") === "refused" ? REFUSED : {});
  // It is said once: later, what was tried may have failed again.
  const fields = withValues({ retried: end.retried, left: end.left });
  return await redirectWith(path, fields, { once: true }) ?? seeOther(path);
}

async function sendTest({ operations, texts }: PageContext): Promise<View> {
  const { outbox: labels } = texts;
  const tested = await operations.POST("/operator/v1/webhooks/test");
  if (!tested.data) {
    const known = { conflict: labels.eventsOff };
    return failedView(tested, texts, { title: labels.test, back: PATHS.outbox, known });
  }
  const { delivered, reason = "" } = tested.data;
  const fault = `${labels.notTaken} ${labels.reason} ${reason}`;
  return {
    title: labels.test,
    body: markup`${delivered ? doneNote(labels.taken) : faultNote(fault)}
<p><a href="${PATHS.outbox}">${texts.pages.outbox}</a></p>`,
  };
}

function retriedNote(form: Fields, labels: OutboxTexts): Html | false {
  if (!form.has("retried")) return false;
  const [count, left] = [Number(form.get("retried")), Number(form.get("left"))];
  const done = labels.retried({ count });
  return doneNote(left > 0 ? `${done} ${labels.left({ count: left })}` : done);
}

/** How many letters and events wait and were refused, and how many letters were sent today. */
export function outboxFacts(
  { outbox, sendsLetters }: Overview,
  { outbox: labels, number }: ConsoleTexts,
): Html {
  const { due, oldestDue, held, refused, sentToday } = outbox;
  return facts([
    [labels.due, due === 0 ? labels.nothingWaits : number(due)],
    [labels.oldestDue, oldestDue && showTime(oldestDue)],
    [labels.held, held > 0 && number(held)],
    [labels.refused, number(refused)],
    [labels.sentToday, sendsLetters && number(sentToday)],
  ]);
}

/** Says that all letters are paused, until when, and the reason that the mail server gave. */
export function describePause(
  { until, reason }: NonNullable<Overview["outbox"]["pause"]>,
  { outbox: labels }: ConsoleTexts,
): Html {
  return markup`${labels.pause} ${showTime(until)}. ${labels.reason} <code>${reason}</code>`;
}

function actionForm(fields: { action: string; list?: string }, hint: string, submit: string): Html {
  return markup`<p class="soft">${hint}</p>
${postForm({ action: PATHS.outbox, fields }, button(submit))}`;
}

/** Which of letters and events the service sends. */
interface Sends {
  letters: boolean;
  events: boolean;
}

function isSent({ message }: ListedItem, sends: Sends): boolean {
  return message.startsWith("signup.") ? sends.events : sends.letters;
}

/** The table of letters and events, each with the button that makes it due at once where that is possible. */
export function itemsTable(
  items: ListedItem[],
  { texts, now, refused, sends }: Pick<PageContext, "texts" | "now"> & {
    refused: boolean;
    sends: Sends;
  },
): Html {
  const { outbox: labels, words, number } = texts;
  // What is due within a lease may be on its way, and is not tried again by hand.
  const canRetry = (item: ListedItem) =>
    isSent(item, sends) &&
    (item.dueAt === undefined || Date.parse(item.dueAt) > now + LEASE_MS);
  const hasButtons = items.some(canRetry);
  const rows = items.map((item): Cell[] => {
    const { dueAt, refusedAt, email, tries, reason = "" } = item;
    const moment = dueAt ?? refusedAt;
    return [
      { row: nameIn(labels.messages, item.message) },
      email,
      moment === undefined ? "" : showTime(moment),
      { number: number(tries) },
      reason,
      ...hasButtons ? [canRetry(item) ? retryButton(item, labels) : ""] : [],
    ];
  });
  const time = refused ? labels.refusedAt : labels.dueAt;
  const head = [words.what, labels.to, time, labels.tries, labels.why];
  if (hasButtons) head.push(labels.again);
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list: refused && "refused" } },
    table({ caption: refused ? labels.refusedCaption : labels.waitingCaption, head, rows }),
  );
}

function retryButton(item: ListedItem, { retry, messages }: OutboxTexts): Html {
  // It begins with the words that are seen, so that who speaks to the browser can say them.
  const label = `${retry}: ${nameIn(messages, item.message)}, ${item.email}`;
  return markup`<button class="small" name="id" value="${item.id}" aria-label="${label}">${retry}</button>`;
}
