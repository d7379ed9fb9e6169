/**
 * The lists of the page "E-mails and events": reads a page of a list, and shows it with links to the other lists.
 * `item_table.ts` has the table of letters and events, and `letter_log.ts` the log of e-mails. @module
 */
import type { ListedDelivery, ListedItem, Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { pager } from "../components.ts";
import { button, type FieldValues, pathWith, postForm } from "../forms.ts";
import { isTriedAfterPause, type ShownPause } from "../letter_pause.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";
import {
  type AnswerGroup,
  codeOfAnswer,
  groupAnswers,
  nameOfCode,
  NO_CODE,
} from "./answer_groups.ts";
import {
  hasCheckboxes,
  type ItemRow,
  itemTable,
  mayRetryKind,
  type OutboxFlags,
  rowOfDelivery,
  rowOfItem,
} from "./item_table.ts";
import {
  isFiltered,
  type LetterLogPage,
  letterLogView,
  readLetterFilter,
  readLetterLogPage,
} from "./letter_log.ts";
import { NONE_WAITING, type RejectedWaiting, rejectedWaitingTable } from "./pause.ts";

/** How many letters or events a page of a list has at most. The list of deliveries is not divided into pages. */
const PAGE_SIZE = 100;

/** How many refused items are read for a page, so that the page says how many of them have which answer. */
const GROUPED = 500;

/**
 * The names of the lists. `log` has what became of letters, and `deliveries` has the last deliveries of events.
 */
export const OUTBOX_LISTS = ["waiting", "refused", "log", "deliveries"] as const;

/** The name of a list. */
export type OutboxListName = typeof OUTBOX_LISTS[number];

/** What a page of a list shows. */
type ListContent =
  | { list: "log"; log: LetterLogPage }
  | { list: "deliveries"; deliveries: ListedDelivery[] }
  | {
    list: "waiting" | "refused";
    items: ListedItem[];
    /** The wave whose invitations the list has; absent if it has all letters and events. */
    wave?: string;
    /** The code of the answer with which the items of the list were refused; absent if the list has all answers. */
    reason?: string;
    /** The refused items that were read, by the codes of the answers; empty in the list of waiting items. */
    groups: AnswerGroup[];
    /** Whether there are more refused items than were read for `groups`. */
    hasMore: boolean;
  };

/** A page of a list. */
export interface ListPage {
  content: ListContent;
  isFirst: boolean;
  /** The query of the next page, without the filters of the log; absent on the last page. */
  nextQuery: FieldValues | undefined;
}

/** The numbers of letters and events in the lists that have a counter. */
export const countsOf = ({ outbox: { due, held, refused } }: Pick<Overview, "outbox">) => ({
  waiting: due + held,
  refused,
});

/**
 * Chooses the list for a page whose query names no list: the log if the query has one of its filters, such as a wave;
 * otherwise the first list that has something in it. The log of e-mails, or the deliveries if the service sends only
 * events, need no counter, because they are shown if nothing waits and nothing was refused.
 */
export function firstListOf(
  overview: Overview,
  query: URLSearchParams,
  sends: OutboxFlags,
): OutboxListName {
  if (isFiltered(readLetterFilter(query))) return "log";
  const { waiting, refused } = countsOf(overview);
  if (waiting > 0) return "waiting";
  if (refused > 0) return "refused";
  return sends.events && !sends.letters ? "deliveries" : "log";
}

/** Reads the page of a list that the query asks for. */
export async function readList(
  list: OutboxListName,
  { operations, query }: Pick<PageContext, "operations" | "query">,
): Promise<ListPage | PageFailure> {
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
  const log = await readLetterLogPage({ operations, query }, PAGE_SIZE);
  if ("failure" in log) return log;
  return {
    content: { list: "log", log },
    isFirst: !query.has("before"),
    nextQuery: log.next === undefined ? undefined : { before: log.next, found: log.found },
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
  const wave = query.get("wave")?.trim();
  const ofWave = wave ? { wave } : {};
  const isRefused = list === "refused";
  const itemList = await operations.listOutbox({
    refused: isRefused,
    limit: isRefused ? GROUPED : PAGE_SIZE,
    ...ofWave,
    ...after && { after },
  });
  if ("failure" in itemList) return itemList;
  const { items: allItems, next } = itemList;
  const reason = isRefused ? query.get("reason")?.trim() : undefined;
  const fittingItems = reason
    ? allItems.filter((item) => codeOfAnswer(item.reason) === reason)
    : allItems;
  const items = fittingItems.slice(0, PAGE_SIZE);
  const groups = isRefused ? groupAnswers(allItems.map((item) => item.reason)) : [];
  const hasMore = next !== undefined;
  const nextQuery = fittingItems.length > PAGE_SIZE ? positionAfter(items.at(-1)!) : next;
  return {
    content: { list, items, ...ofWave, ...reason && { reason }, groups, hasMore },
    isFirst: after === undefined,
    nextQuery,
  };
}

/** The position of a refused item, after which the next page begins. */
const positionAfter = ({ id, refusedAt }: ListedItem): FieldValues => ({ at: refusedAt, id });

/**
 * Shows a page of a list, with links to the other lists.
 *
 * @param options.overview has the counters of the lists
 * @param options.sends what the service sends. If the service sends no events, there is no link to the list of
 * deliveries, unless this list is shown.
 * @param options.mayRetry whether the operator may send letters and events again
 * @param options.rejectedWaiting the rejected letters that wait for a new try, for the lists of waiting and of refused
 * items
 */
export function listSection(
  { content, isFirst, nextQuery }: ListPage,
  pageContext: Pick<PageContext, "texts" | "now" | "personPath" | "may">,
  { overview, sends, mayRetry, rejectedWaiting }: {
    overview: Overview;
    sends: OutboxFlags;
    mayRetry: OutboxFlags;
    rejectedWaiting: RejectedWaiting;
  },
): Html {
  const { outbox: labels, words, people, number } = pageContext.texts;
  const { list: shownList } = content;
  const { pause } = overview.outbox;
  const linkedLists = OUTBOX_LISTS.filter((list) =>
    list !== "deliveries" || sends.events || list === shownList
  );
  const counts: Partial<Record<OutboxListName, number>> = countsOf(overview);
  const tabs = linkedLists.map((list) => {
    const path = pathWith(PATHS.outbox, { list });
    const ariaCurrent = list === shownList && markup` aria-current="page"`;
    const count = counts[list];
    return markup`<a href="${path}"${ariaCurrent}>${labels.lists[list].tab}${
      count !== undefined && ` (${number(count)})`
    }</a>`;
  });
  const filter = filterOf(content);
  const pathOfPage = (pageQuery: FieldValues) =>
    pathWith(PATHS.outbox, { list: shownList, ...filter, ...pageQuery });
  const pageLinks = pager([
    [words.firstPage, !isFirst && pathOfPage({})],
    [goesOn(content) ? people.goOn : words.nextPage, nextQuery && pathOfPage(nextQuery)],
  ]);
  const isRefusedBeginning = isWholeRefused(content) && isFirst;
  // During a pause, the e-mails of this table are the ones that the sentences about the pause speak of.
  const waitingTable = isRefusedBeginning &&
    rejectedWaitingTable(rejectedWaiting, pageContext, pause);
  return markup`<section aria-label="${labels.listsLabel}"><nav class="tabs" aria-label="${labels.listsLabel}">
${tabs}
</nav>
${pause && waitingTable}
${contentView({ content, isFirst, nextQuery }, pageContext, { mayRetry, rejectedWaiting, pause })}
${pageLinks}
${retryAllForm(content, labels, mayRetry)}
${!pause && waitingTable}
${isRefusedBeginning && linkToRetried(labels)}</section>`;
}

/** The filters of a list, as they stand in the query. */
function filterOf(content: ListContent): FieldValues {
  if (content.list === "log") return { ...content.log.filter };
  if (content.list === "deliveries") return {};
  return { wave: content.wave, reason: content.reason };
}

/**
 * Whether the next page goes on with a search. A search reads only a part of the log or of the outbox for each page, so
 * that a page can have fewer letters than `PAGE_SIZE` although more letters follow.
 */
function goesOn(content: ListContent): boolean {
  if (content.list === "log") return content.log.letters.length < PAGE_SIZE;
  if (content.list === "deliveries") return false;
  const isSearch = content.wave !== undefined || content.reason !== undefined;
  return isSearch && content.items.length < PAGE_SIZE;
}

/** The rows of a list of letters and events. */
function rowsOf(
  content: Exclude<ListContent, { list: "log" }>,
  { texts, now, may }: Pick<PageContext, "texts" | "now" | "may">,
  { mayRetry, rejectedWaiting = NONE_WAITING, pause }: {
    mayRetry: OutboxFlags;
    rejectedWaiting?: RejectedWaiting;
    pause?: ShownPause | undefined;
  },
): ItemRow[] {
  const mayMark = may("markUndeliverable");
  const mayCorrect = may("correctSignup");
  const wasRefused = ({ recordId, message }: ListedItem) =>
    rejectedWaiting.letters.some(({ id, letter }) => id === recordId && letter === message);
  return content.list === "deliveries"
    ? content.deliveries.map((delivery) => rowOfDelivery(delivery, { texts, mayRetry }))
    : content.items.map((item) =>
      rowOfItem(item, {
        now,
        mayRetry,
        mayMark,
        mayCorrect,
        wasRefused: wasRefused(item),
        pause,
      })
    );
}

/** Whether the page of a list has checkboxes. @param mayRetry whether the operator may send letters and events again */
export const needsChooseScript = (
  { content }: ListPage,
  pageContext: Pick<PageContext, "texts" | "now" | "may">,
  mayRetry: OutboxFlags,
): boolean =>
  content.list !== "log" && hasCheckboxes(rowsOf(content, pageContext, { mayRetry }), content.list);

/** Shows the content of a list, or says that the list is empty unless a search for its items goes on. */
function contentView(
  { content, isFirst, nextQuery }: ListPage,
  pageContext: Pick<PageContext, "texts" | "now" | "personPath" | "may">,
  { mayRetry, rejectedWaiting, pause }: {
    mayRetry: OutboxFlags;
    rejectedWaiting: RejectedWaiting;
    pause: ShownPause | undefined;
  },
): Html {
  const { texts, now } = pageContext;
  if (content.list === "log") {
    const isAfterPause = (moment: string) => isTriedAfterPause(moment, { pause, now });
    return letterLogView(content.log, { isFirst, isAfterPause }, pageContext);
  }
  const rows = rowsOf(content, pageContext, { mayRetry, rejectedWaiting, pause });
  const emptyNote = !nextQuery &&
    markup`<p class="empty">${describeEmpty(content, isFirst, texts)}</p>`;
  const list = rows.length > 0 ? itemTable(rows, content, pageContext) : emptyNote;
  if (content.list === "deliveries") return markup`${list}`;
  return markup`${filterNote(content, texts)}
${isFirst && answerLinks(content, texts)}
${list}`;
}

/** Says why a page has no items: the list is empty, nothing in it fits the filters, or the page before was the last. */
function describeEmpty(
  content: Exclude<ListContent, { list: "log" }>,
  isFirst: boolean,
  { outbox, people }: ConsoleTexts,
): string {
  if (!isFirst) return people.noOthers;
  const isFiltered = Object.values(filterOf(content)).some((value) => value !== undefined);
  return isFiltered ? outbox.noneFits : outbox.lists[content.list].nothing;
}

/** Says which items a list leaves out, with a link to the whole list; `false` if the list leaves none out. */
function filterNote(
  { list, wave, reason }: Extract<ListContent, { items: unknown }>,
  { outbox, activity }: ConsoleTexts,
): Html | false {
  const sentences = [
    ...wave === undefined ? [] : [outbox.onlyOfWave({ wave })],
    ...reason === undefined ? [] : [describeReason(reason, outbox)],
  ];
  return sentences.length > 0 &&
    markup`<p class="soft">${sentences.join(" ")} <a href="${
      pathWith(PATHS.outbox, { list })
    }">${activity.all}</a></p>`;
}

/** Says that a list has only the items whose answers have a code, or have none. */
const describeReason = (code: string, labels: ConsoleTexts["outbox"]): string =>
  code === NO_CODE ? labels.onlyWithoutCode : labels.onlyWithAnswer({ code });

/** Links to the refused items by the codes of their answers, unless all have the same code. */
function answerLinks(
  { list, wave, reason, groups, hasMore }: Extract<ListContent, { items: unknown }>,
  { outbox, number }: ConsoleTexts,
): Html | false {
  if (groups.length < 2) return false;
  // A search for the items of a wave can have read fewer than `GROUPED` items.
  const readCount = groups.reduce((sum, { count }) => sum + count, 0);
  const heading = hasMore ? outbox.answersOfFirst({ count: number(readCount) }) : outbox.answers;
  const items = groups.map(({ code, example, count }) => {
    const ariaCurrent = code === reason && markup` aria-current="true"`;
    const path = pathWith(PATHS.outbox, { list, wave, reason: code });
    const label = `${nameOfCode(code, outbox)} (${number(count)})`;
    return markup`<li><a href="${path}"${ariaCurrent}>${label}</a>${
      example && markup` <small>${outbox.forExample({ answer: example })}</small>`
    }</li>`;
  });
  return markup`<p class="soft">${heading}</p>
<ul class="bullets">
${items}
</ul>`;
}

/** Links to the e-mails that were rejected and tried again. */
function linkToRetried({ retriedInLog, lists }: ConsoleTexts["outbox"]): Html {
  const path = pathWith(PATHS.outbox, { list: "log", state: "retried" });
  return markup`<p class="soft">${retriedInLog} <a href="${path}">${lists.log.tab}</a></p>`;
}

/** Whether a list has all refused items, and not only those of a wave or of one answer. */
const isWholeRefused = (
  content: ListContent,
): content is Extract<ListContent, { items: unknown }> =>
  content.list === "refused" && content.wave === undefined && content.reason === undefined;

/**
 * The form that leads to the question whether to send all refused items again. Returns `undefined` if `content` is
 * another list than the refused items, or if the operator may send none of the shown items again.
 */
function retryAllForm(
  content: ListContent,
  labels: ConsoleTexts["outbox"],
  mayRetry: OutboxFlags,
): Html | undefined {
  // The form concerns all refused items, so a list of the items of one wave or of one answer does not have the form.
  if (!isWholeRefused(content)) return undefined;
  if (!content.items.some(({ message: kind }) => mayRetryKind(kind, mayRetry))) return undefined;
  // The dots say that another page comes before the act.
  return postForm(
    { action: PATHS.outbox, fields: { action: "all", list: content.list } },
    button(`${labels.all} …`),
  );
}
