/**
 * The lists of the page "E-mails and events": reads a page of a list, and shows it with links to the other lists.
 * `item_table.ts` has the table of letters and events. @module
 */
import type { ListedDelivery, ListedItem, ListedLetter } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { pager, personLink } from "../components.ts";
import { type FieldValues, hintedForm, knownValue, pathWith } from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";
import {
  itemTable,
  mayRetryKind,
  type OutboxFlags,
  rowOfDelivery,
  rowOfItem,
} from "./item_table.ts";

/** How many letters or events a page of a list has at most. The list of deliveries is not divided into pages. */
const PAGE_SIZE = 100;

/**
 * The names of the lists. `log` has what became of letters, and `deliveries` has the last deliveries of events.
 */
export const OUTBOX_LISTS = ["waiting", "refused", "log", "deliveries"] as const;

/** What a page of a list shows. */
type ListContent =
  | { list: "log"; letters: ListedLetter[] }
  | { list: "deliveries"; deliveries: ListedDelivery[] }
  | { list: "waiting" | "refused"; items: ListedItem[] };

/** A page of a list. */
export interface ListPage {
  content: ListContent;
  isFirst: boolean;
  /** The query of the next page; absent on the last page. */
  nextQuery: FieldValues | undefined;
}

/** Reads the page of a list that the query asks for. */
export async function readList(
  { operations, query }: Pick<PageContext, "operations" | "query">,
): Promise<ListPage | PageFailure> {
  const list = knownValue(OUTBOX_LISTS, query.get("list")) ?? "waiting";
  switch (list) {
    case "log":
      return await readLetterLog(operations, query);
    case "deliveries":
      return await readDeliveries(operations);
    case "waiting":
    case "refused":
      return await readItems(list, operations, query);
  }
}

async function readLetterLog(
  operations: PageContext["operations"],
  query: URLSearchParams,
): Promise<ListPage | PageFailure> {
  const before = query.get("before");
  const letterList = await operations.listLetters({
    limit: PAGE_SIZE,
    ...before !== null && { before },
  });
  if ("failure" in letterList) return letterList;
  const { letters, next } = letterList;
  return {
    content: { list: "log", letters },
    isFirst: before === null,
    nextQuery: next === undefined ? undefined : { before: next },
  };
}

/** Reads the last deliveries. There are so few of them that one page has all of them. */
async function readDeliveries(
  operations: PageContext["operations"],
): Promise<ListPage | PageFailure> {
  const deliveryList = await operations.listDeliveries({});
  if ("failure" in deliveryList) return deliveryList;
  const { deliveries } = deliveryList;
  return { content: { list: "deliveries", deliveries }, isFirst: true, nextQuery: undefined };
}

async function readItems(
  list: "waiting" | "refused",
  operations: PageContext["operations"],
  query: URLSearchParams,
): Promise<ListPage | PageFailure> {
  const at = query.get("at");
  const id = query.get("id");
  const after = at !== null && id !== null ? { at, id } : undefined;
  const itemList = await operations.listOutbox({
    refused: list === "refused",
    limit: PAGE_SIZE,
    ...after && { after },
  });
  if ("failure" in itemList) return itemList;
  const { items, next } = itemList;
  return { content: { list, items }, isFirst: after === undefined, nextQuery: next };
}

/**
 * Shows a page of a list, with links to the other lists.
 *
 * @param options.sends what the service sends. If the service sends no events, there is no link to the list of
 * deliveries, unless this list is shown.
 * @param options.mayRetry whether the operator may send letters and events again
 */
export function listSection(
  { content, isFirst, nextQuery }: ListPage,
  pageContext: Pick<PageContext, "texts" | "now" | "personPath">,
  { sends, mayRetry }: { sends: OutboxFlags; mayRetry: OutboxFlags },
): Html {
  const { outbox: labels, words } = pageContext.texts;
  const { list: shownList } = content;
  const linkedLists = OUTBOX_LISTS.filter((list) =>
    list !== "deliveries" || sends.events || list === shownList
  );
  const tabs = linkedLists.map((list) => {
    const path = pathWith(PATHS.outbox, { list });
    const ariaCurrent = list === shownList && markup` aria-current="page"`;
    return markup`<a href="${path}"${ariaCurrent}>${labels.lists[list].tab}</a>`;
  });
  const pageLinks = pager([
    [words.firstPage, !isFirst && pathWith(PATHS.outbox, { list: shownList })],
    [words.nextPage, nextQuery && pathWith(PATHS.outbox, { list: shownList, ...nextQuery })],
  ]);
  const emptyNote = markup`<p class="empty">${labels.lists[shownList].nothing}</p>`;
  return markup`<section aria-label="${labels.listsLabel}"><nav class="tabs" aria-label="${labels.listsLabel}">
${tabs}
</nav>
${contentTable(content, pageContext, mayRetry) ?? emptyNote}
${pageLinks}
${retryAllForm(content, labels, mayRetry)}</section>`;
}

/** The table of a list; `undefined` if the page of the list is empty. */
function contentTable(
  content: ListContent,
  { texts, now, personPath }: Pick<PageContext, "texts" | "now" | "personPath">,
  mayRetry: OutboxFlags,
): Html | undefined {
  if (content.list === "log") {
    const { letters } = content;
    // A letter without an address is to a person who is no longer on the list and has no page.
    const recipientOf = ({ id, email }: ListedLetter) =>
      email !== undefined && personLink({ id, email }, personPath);
    return letters.length > 0 ? letterTable(letters, { texts, recipientOf }) : undefined;
  }
  const rows = content.list === "deliveries"
    ? content.deliveries.map((delivery) => rowOfDelivery(delivery, { texts, mayRetry }))
    : content.items.map((item) => rowOfItem(item, { now, mayRetry }));
  return rows.length > 0 ? itemTable(rows, content.list, { texts, personPath }) : undefined;
}

/**
 * The form that sends all refused items again. Returns `undefined` if `content` is another list than the refused items,
 * or if the operator may send none of the shown items again.
 */
function retryAllForm(
  content: ListContent,
  labels: ConsoleTexts["outbox"],
  mayRetry: OutboxFlags,
): Html | undefined {
  if (content.list !== "refused") return undefined;
  if (!content.items.some(({ message: kind }) => mayRetryKind(kind, mayRetry))) return undefined;
  return hintedForm(
    { action: PATHS.outbox, fields: { action: "all", list: content.list } },
    { hint: labels.allHint, submit: labels.all },
  );
}
