import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import { PATHS } from "../layout.ts";
import { numberCell, showTime, table } from "../components.ts";
import type { PageContext } from "../page_context.ts";
import { OUTBOX_TEXTS, type OutboxTexts } from "./texts.ts";

/** Which of letters and events the service sends. */
export interface Sends {
  letters: boolean;
  events: boolean;
}

/** Whether the service sends what is of the kind of an item. */
export function isSent({ message }: ListedItem, sends: Sends): boolean {
  return message.startsWith("signup.") ? sends.events : sends.letters;
}

/**
 * The table of letters and events, each with the button that makes it due at once where that is possible; the column
 * of the buttons is left out where it would be empty.
 */
export function itemsTable(
  items: ListedItem[],
  { lang, now, refused, sends }: Pick<PageContext, "lang" | "now"> & {
    refused: boolean;
    sends: Sends;
  },
): Html {
  const texts = OUTBOX_TEXTS[lang];
  // What is due within a lease may be on its way, and is not tried again by hand.
  const canRetry = (item: ListedItem) =>
    isSent(item, sends) &&
    (item.dueAt === undefined || Date.parse(item.dueAt) > now + LEASE_MS);
  const hasButtons = items.some(canRetry);
  const rows = items.map((item): (string | Html)[] => {
    const { dueAt, refusedAt, email, tries, reason } = item;
    const moment = dueAt ?? refusedAt;
    return [
      markup`<th scope="row">${messageName(item, texts)}</th>`,
      email,
      moment === undefined ? "" : showTime(moment),
      numberCell(lang, tries),
      reason ?? "",
      ...hasButtons ? [canRetry(item) ? retryButton(item, texts) : ""] : [],
    ];
  });
  const time = refused ? texts.refusedAt : texts.dueAt;
  return markup`<form method="post" action="${PATHS.outbox}">
<input type="hidden" name="action" value="retry">
${refused && markup`<input type="hidden" name="list" value="refused">`}
${
    table({
      caption: refused ? texts.refusedCaption : texts.waitingCaption,
      head: [
        texts.what,
        texts.to,
        time,
        texts.tries,
        texts.why,
        ...hasButtons ? [texts.again] : [],
      ],
      rows,
    })
  }
</form>`;
}

function messageName({ message }: ListedItem, { messages }: OutboxTexts): string {
  return message in messages ? messages[message as keyof typeof messages] : message;
}

function retryButton(item: ListedItem, texts: OutboxTexts): Html {
  // It begins with the words that are seen, so that who speaks to the browser can say them.
  const label = `${texts.retry}: ${messageName(item, texts)}, ${item.email}`;
  return markup`<button class="small" name="id" value="${item.id}" aria-label="${label}">${texts.retry}</button>`;
}
