/** The table of letters, events and deliveries, with the buttons that send one again. @module */
import type { ListedDelivery, ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { type Cell, nameIn, showTime, table } from "../components.ts";
import { postForm } from "../form_fields.ts";
import { type PageContext, PATHS } from "../page_context.ts";

type Sends = Record<"letters" | "events", boolean>;

/** The lists of the page. */
export type List = "waiting" | "refused" | "deliveries";

export function isSent({ message }: Pick<ListedItem, "message">, sends: Sends): boolean {
  return message.startsWith("signup.") ? sends.events : sends.letters;
}

/** Gives an event as the table shows it: with its last try, and without an address where it cannot be sent again. */
export function toItem(
  { id, event: message, email = "", tries, at, ms, status, answer }: ListedDelivery,
  { outbox: { noAnswer }, number }: ConsoleTexts,
): ListedItem {
  const code = status === undefined ? noAnswer : `HTTP ${status}`;
  const reason = `${code}, ${number(ms)} ms${answer && `: ${answer}`}`;
  return { id, message, email, tries, putAt: at, refusedAt: at, reason };
}

/** The table of a list, each item with the button that makes it due at once where that is possible. */
export function itemsTable(
  items: ListedItem[],
  { texts, now, list, sends }: Pick<PageContext, "texts" | "now"> & { list: List; sends: Sends },
): Html {
  const { outbox: { lists: { [list]: labels }, to, tries, again, messages }, words, number } =
    texts;
  // What is due within a lease may be on its way, and is not tried again by hand.
  const canRetry = (item: ListedItem) =>
    item.email !== "" && isSent(item, sends) &&
    (item.dueAt === undefined || Date.parse(item.dueAt) > now + LEASE_MS);
  const hasButtons = items.some(canRetry);
  const rows = items.map((item): Cell[] => {
    const { id, dueAt, refusedAt, email, reason = "" } = item;
    const moment = dueAt ?? refusedAt;
    const name = nameIn(messages, item.message);
    // Its label begins with the words that are seen, so that who speaks to the browser can say them.
    const label = `${labels.retry}: ${name}, ${email}`;
    const retry =
      markup`<button class="small" name="id" value="${id}" aria-label="${label}">${labels.retry}</button>`;
    const time = moment === undefined ? "" : showTime(moment, texts);
    const cells = [{ row: name }, email, time, { number: number(item.tries) }, reason];
    return hasButtons ? [...cells, canRetry(item) ? retry : ""] : cells;
  });
  const head = [words.what, to, labels.time, tries, labels.reason];
  if (hasButtons) head.push(again);
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list } },
    table({ caption: labels.caption, head, rows }),
  );
}
