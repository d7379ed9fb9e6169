/** The tables of letters, events and deliveries, with the buttons that send one again. @module */
import type { ListedDelivery, ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { type Cell, nameIn, showTime, table } from "../components.ts";
import { postForm } from "../form_fields.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/** Which of letters and events the service sends. */
interface Sends {
  letters: boolean;
  events: boolean;
}

export function isSent({ message }: Pick<ListedItem, "message">, sends: Sends): boolean {
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
  const rows = items.map((item): Row => {
    const { dueAt, refusedAt, email, tries, reason = "" } = item;
    const moment = dueAt ?? refusedAt;
    const time = moment === undefined ? "" : showTime(moment);
    const cells = [time, { number: number(tries) }, reason];
    return { ...item, email, cells, button: canRetry(item) && labels.retry };
  });
  const time = refused ? labels.refusedAt : labels.dueAt;
  const caption = refused ? labels.refusedCaption : labels.waitingCaption;
  const head = [words.what, labels.to, time, labels.tries, labels.why];
  return listTable({ list: refused && "refused", caption, head, rows }, labels);
}

/** The table of the last deliveries, each with the button that sends the event again where that is possible. */
export function deliveriesTable(
  deliveries: ListedDelivery[],
  { texts, canSend }: Pick<PageContext, "texts"> & { canSend: boolean },
): Html {
  const { outbox: labels, words, number } = texts;
  if (deliveries.length === 0) return markup`<p class="empty">${labels.noDeliveries}</p>`;
  const rows = deliveries.map(({ id, event: message, email = "", at, ms, ...answer }): Row => {
    const status = answer.status === undefined ? labels.noAnswer : `HTTP ${answer.status}`;
    const cells = [showTime(at), status, { number: `${number(ms)} ms` }, answer.answer];
    return { id, message, email, cells, button: canSend && email !== "" && labels.resend };
  });
  const { about, triedAt, status, took, answer, deliveriesCaption: caption } = labels;
  const head = [words.what, about, triedAt, status, { number: took }, answer];
  return listTable({ list: "deliveries", caption, head, rows }, labels);
}

interface Row extends Pick<ListedItem, "id" | "message" | "email"> {
  cells: Cell[];
  /** What its button says, if it has one. */
  button: string | false;
}

function listTable(
  { list, rows, head, ...about }: Omit<Parameters<typeof table>[0], "rows"> & {
    list: string | false;
    rows: Row[];
  },
  { again, messages }: ConsoleTexts["outbox"],
): Html {
  const hasButtons = rows.some(({ button }) => button);
  const shown = rows.map(({ id, message, email, cells, button }): Cell[] => {
    const name = nameIn(messages, message);
    // The label begins with the words that are seen, so that who speaks to the browser can say them.
    const cell = button &&
      markup`<button class="small" name="id" value="${id}" aria-label="${button}: ${name}, ${email}">${button}</button>`;
    return [{ row: name }, email, ...cells, ...hasButtons ? [cell || ""] : []];
  });
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list } },
    table({ ...about, head: hasButtons ? [...head, again] : head, rows: shown }),
  );
}
