/** The lists of the page "Letters and events": reads a page of a list, and shows it as a table. @module */
import type { ListedDelivery, ListedItem, ListedLetter } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { breakable, type Cell, nameIn, pager, showTime, table } from "../components.ts";
import { button, type FieldValues, knownValue, pathWith, postForm } from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";

/** The number of letters and events on a page of a list. */
const PAGE_SIZE = 100;

/** The lists of the page. `log` has what became of letters, and `deliveries` the last tries to deliver events. */
export const OUTBOX_LISTS = ["waiting", "refused", "log", "deliveries"] as const;

type List = typeof OUTBOX_LISTS[number];

/**
 * A yes or no for letters and for events: whether the service sends them, or whether the operator may send them again.
 */
export type Sends = Record<"letters" | "events", boolean>;

/** A page of a list. */
export interface ListPage {
  /** What the list shows: the letters of the log, or letters and events (`items`) that the operator may send again. */
  content:
    | { list: "log"; letters: ListedLetter[] }
    | { list: Exclude<List, "log">; items: ListedItem[] };
  isFirst: boolean;
  /** The query of the next page; absent on the last page. */
  next: FieldValues | undefined;
}

/** Reads the page of a list that the query asks for. */
export async function readList(
  { operations, texts, query }: PageContext,
): Promise<ListPage | PageFailure> {
  const list = knownValue(OUTBOX_LISTS, query.get("list")) ?? "waiting";
  switch (list) {
    case "deliveries": {
      const delivered = await operations.listDeliveries({});
      if ("failure" in delivered) return delivered;
      const items = delivered.deliveries.map((each) => toItem(each, texts));
      return { content: { list, items }, isFirst: true, next: undefined };
    }
    case "log": {
      const before = query.get("before");
      const log = await operations.listLetters({
        limit: PAGE_SIZE,
        ...before !== null && { before },
      });
      if ("failure" in log) return log;
      const next = log.next === undefined ? undefined : { before: log.next };
      return { content: { list, letters: log.letters }, isFirst: before === null, next };
    }
    default: {
      const at = query.get("at");
      const id = query.get("id");
      const after = at !== null && id !== null ? { at, id } : undefined;
      const listed = await operations.listOutbox({
        refused: list === "refused",
        limit: PAGE_SIZE,
        ...after && { after },
      });
      if ("failure" in listed) return listed;
      const { items, next } = listed;
      return { content: { list, items }, isFirst: after === undefined, next };
    }
  }
}

/**
 * Shows a page of a list, with links to the other lists.
 *
 * @param options.sends what the service sends; only a service that sends events has the list of deliveries
 * @param options.retries what the operator may send again
 */
export function listSection(
  { content, isFirst, next }: ListPage,
  pageContext: Pick<PageContext, "texts" | "now" | "personPath">,
  { sends, retries }: { sends: Sends; retries: Sends },
): Html {
  const { outbox: labels, words } = pageContext.texts;
  const { list } = content;
  const current = markup` aria-current="page"`;
  const shownLists = OUTBOX_LISTS.filter((each) =>
    each !== "deliveries" || sends.events || each === list
  );
  const links = shownLists.map((each) => {
    const path = pathWith(PATHS.outbox, { list: each });
    return markup`<a href="${path}"${each === list && current}>${labels.lists[each].tab}</a>`;
  });
  const pages = pager([
    [words.firstPage, !isFirst && pathWith(PATHS.outbox, { list })],
    [words.nextPage, next && pathWith(PATHS.outbox, { list, ...next })],
  ]);
  return markup`<section aria-label="${labels.listsLabel}"><nav class="tabs" aria-label="${labels.listsLabel}">
${links}
</nav>
${contentTable(content, pageContext, retries)}
${pages}
${retryAllForm(content, labels, retries)}</section>`;
}

function contentTable(
  content: ListPage["content"],
  pageContext: Pick<PageContext, "texts" | "now" | "personPath">,
  retries: Sends,
): Html {
  const { texts, now } = pageContext;
  const { list } = content;
  const nothing = markup`<p class="empty">${texts.outbox.lists[list].nothing}</p>`;
  if (content.list === "log") {
    const { personPath } = pageContext;
    const recipientOf = (letter: ListedLetter) => showRecipient(letter, personPath);
    return content.letters.length > 0
      ? letterTable(content.letters, { texts, recipientOf })
      : nothing;
  }
  const { items } = content;
  return items.length > 0
    ? itemsTable(items, { texts, now, list: content.list, retries })
    : nothing;
}

/**
 * Shows the address with a link to the person's page. Shows nothing if the person has left, because the person has no
 * page any more.
 */
function showRecipient(
  { id, email }: ListedLetter,
  personPath: PageContext["personPath"],
): Html | undefined {
  return email === undefined
    ? undefined
    : markup`<a href="${personPath(id)}">${breakable(email)}</a>`;
}

/** The form that sends all refused items again; `undefined` if the operator may send none of the shown items again. */
function retryAllForm(
  content: ListPage["content"],
  labels: ConsoleTexts["outbox"],
  retries: Sends,
): Html | undefined {
  if (content.list !== "refused") return undefined;
  if (!content.items.some((item) => isOf(item, retries))) return undefined;
  return hintedForm(
    { action: "all", list: content.list },
    { hint: labels.allHint, submit: labels.all },
  );
}

/** Whether `sends` is true for the kind of an item: letter or event. */
function isOf({ message }: Pick<ListedItem, "message">, sends: Sends): boolean {
  return message.startsWith("signup.") ? sends.events : sends.letters;
}

/** Turns a try to deliver an event into an item for the table. The address is empty if the person's record is gone. */
function toItem(
  { id, event: message, email = "", tries, at, ms, status, answer }: ListedDelivery,
  { outbox: { noAnswer }, number }: ConsoleTexts,
): ListedItem {
  const code = status === undefined ? noAnswer : `HTTP ${status}`;
  const reason = `${code}, ${number(ms)} ms${answer && `: ${answer}`}`;
  return { id, message, email, tries, putAt: at, refusedAt: at, reason };
}

/** The table of a list. Each item that the operator may send again has a button. */
export function itemsTable(
  items: ListedItem[],
  { texts, now, list, retries }:
    & Pick<PageContext, "texts" | "now">
    & { list: Exclude<List, "log">; retries: Sends },
): Html {
  const { words, number } = texts;
  const { lists: { [list]: labels }, to, tries, again, messages } = texts.outbox;
  // An item that is due within `LEASE_MS` has no button, because a worker may be sending it: a worker that begins to
  // send an item sets the item's due time to the end of the worker's lease, `LEASE_MS` ahead.
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

/** A form with one button, below a sentence that says what the button does. */
export function hintedForm(
  fields: { action: string; list?: string; token?: string },
  { hint, submit, input }: {
    hint: string;
    submit: string;
    /** A field to fill in. */
    input?: Html | undefined;
  },
): Html {
  return markup`<p class="soft">${hint}</p>
${postForm({ action: PATHS.outbox, fields }, markup`${input}\n${button(submit)}`)}`;
}
