/**
 * The table of letters and events: those that wait, those that were refused, and the last deliveries of events. Each
 * row that the operator may send again has a button. @module
 */
import type { ListedDelivery, ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { type Cell, nameIn, showTime, table } from "../components.ts";
import { postForm } from "../forms.ts";
import { PATHS } from "../page_context.ts";

/** A flag for letters and a flag for events. */
export type KindFlags = Record<"letters" | "events", boolean>;

/** A row of the table: a letter or an event. */
export interface ItemRow {
  id: string;
  /** The kind of the letter, such as `invitation`, or the type of the event, such as `signup.joined`. */
  message: string;
  /** The address of the person; empty if the event has no address any more. */
  email: string;
  /**
   * The date-time of the next try, of the refusal or of the last delivery. The heading of the column says which of
   * these times the list has.
   */
  time: string | undefined;
  tries: number;
  /**
   * Why the last try failed. For a delivery: the status and the answer of the receiver, and how long the delivery took.
   */
  reason: string;
  canRetry: boolean;
}

/** Says whether a message is a letter or an event. The types of all events begin with `signup.`. */
export const kindOf = (message: string): keyof KindFlags =>
  message.startsWith("signup.") ? "events" : "letters";

/** The row of an item of the outbox. @param options.retries whether the operator may send letters and events again */
export function rowOfItem(
  { id, message, email, dueAt, refusedAt, tries, reason = "" }: ListedItem,
  { now, retries }: { now: number; retries: KindFlags },
): ItemRow {
  // A worker that begins to send an item sets the item's due time to the end of the worker's lease, `LEASE_MS` ahead. A
  // worker may therefore be sending any item that is due within `LEASE_MS`. Such an item cannot be sent again.
  const isIdle = dueAt === undefined || Date.parse(dueAt) > now + LEASE_MS;
  const canRetry = email !== "" && retries[kindOf(message)] && isIdle;
  return { id, message, email, time: dueAt ?? refusedAt, tries, reason, canRetry };
}

/**
 * The row of a delivery. A delivery without an address cannot be sent again, because the person's record is gone.
 *
 * @param options.retries whether the operator may send letters and events again
 */
export function rowOfDelivery(
  { id, event, email = "", tries, at, ms, status, answer }: ListedDelivery,
  { texts: { outbox: { noAnswer }, number }, retries }: { texts: ConsoleTexts; retries: KindFlags },
): ItemRow {
  const code = status === undefined ? noAnswer : `HTTP ${status}`;
  const reason = `${code}, ${number(ms)} ms${answer && `: ${answer}`}`;
  const canRetry = email !== "" && retries.events;
  return { id, message: event, email, time: at, tries, reason, canRetry };
}

/**
 * The table. If no row can be sent again, the table has no column for buttons.
 * @param list the list that has the rows
 */
export function itemTable(
  rows: ItemRow[],
  list: "waiting" | "refused" | "deliveries",
  texts: ConsoleTexts,
): Html {
  const { words, number } = texts;
  const { lists: { [list]: labels }, to, tries, again, messages } = texts.outbox;
  const hasButtons = rows.some(({ canRetry }) => canRetry);
  const cells = rows.map((row): Cell[] => {
    const name = nameIn(messages, row.message);
    return [
      { row: name },
      row.email,
      row.time !== undefined && showTime(row.time, texts),
      { number: number(row.tries) },
      row.reason,
      ...hasButtons ? [row.canRetry && retryButton(row, name, labels.retry)] : [],
    ];
  });
  const head = [
    words.what,
    to,
    labels.time,
    tries,
    labels.reason,
    ...hasButtons ? [again] : [],
  ];
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list } },
    table({ caption: labels.caption, head, rows: cells }),
  );
}

function retryButton({ id, email }: ItemRow, name: string, retry: string): Html {
  // The label begins with the visible text, so that people who speak to the browser can say this text (WCAG 2.2,
  // 2.5.3).
  const label = `${retry}: ${name}, ${email}`;
  return markup`<button class="small" name="id" value="${id}" aria-label="${label}">${retry}</button>`;
}
