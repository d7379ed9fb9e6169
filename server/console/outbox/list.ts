import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { type Cell, nameIn, postForm, showTime, table } from "../components.ts";
import { PATHS } from "../layout.ts";
import type { PageContext } from "../page_context.ts";

/** Which of letters and events the service sends. */
export interface Sends {
  letters: boolean;
  events: boolean;
}

export function isSent({ message }: ListedItem, sends: Sends): boolean {
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
    const { dueAt, refusedAt, email, tries, reason } = item;
    const moment = dueAt ?? refusedAt;
    return [
      { row: nameIn(labels.messages, item.message) },
      email,
      moment === undefined ? "" : showTime(moment),
      { number: number(tries) },
      reason ?? "",
      ...hasButtons ? [canRetry(item) ? retryButton(item, texts) : ""] : [],
    ];
  });
  const time = refused ? labels.refusedAt : labels.dueAt;
  const head = [
    words.what,
    labels.to,
    time,
    labels.tries,
    labels.why,
    ...hasButtons ? [labels.again] : [],
  ];
  return postForm(
    { action: PATHS.outbox, fields: { action: "retry", list: refused && "refused" } },
    table({ caption: refused ? labels.refusedCaption : labels.waitingCaption, head, rows }),
  );
}

function retryButton(item: ListedItem, { outbox }: ConsoleTexts): Html {
  const { retry, messages } = outbox;
  // It begins with the words that are seen, so that who speaks to the browser can say them.
  const label = `${retry}: ${nameIn(messages, item.message)}, ${item.email}`;
  return markup`<button class="small" name="id" value="${item.id}" aria-label="${label}">${retry}</button>`;
}
