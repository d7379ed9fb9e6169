import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { type Cell, postForm, showTime, table } from "../components.ts";
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
      { row: messageName(item, texts) },
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

function messageName({ message }: ListedItem, { outbox }: ConsoleTexts): string {
  const names: Partial<Record<string, string>> = outbox.messages;
  return names[message] ?? message;
}

function retryButton(item: ListedItem, texts: ConsoleTexts): Html {
  const { retry } = texts.outbox;
  // It begins with the words that are seen, so that who speaks to the browser can say them.
  const label = `${retry}: ${messageName(item, texts)}, ${item.email}`;
  return markup`<button class="small" name="id" value="${item.id}" aria-label="${label}">${retry}</button>`;
}
