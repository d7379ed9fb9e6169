import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/html.ts";
import { LEASE_MS } from "../../letters/schedule.ts";
import { PATHS } from "../layout.ts";
import { showNumber, showTime, table } from "../parts.ts";
import type { Visit } from "../visit.ts";
import { OUTBOX_TEXTS, type OutboxTexts } from "./texts.ts";

/** The table of letters and events, each with the button that makes it due at once where that is possible. */
export function itemsTable(
  items: ListedItem[],
  { lang, now, refused }: Pick<Visit, "lang" | "now"> & { refused: boolean },
): Html {
  const texts = OUTBOX_TEXTS[lang];
  const rows = items.map((item): (string | Html)[] => {
    const { dueAt, refusedAt, email, tries, reason } = item;
    const moment = dueAt ?? refusedAt;
    // What is due within a lease may be on its way, and is not tried again by hand.
    const canRetry = dueAt === undefined || Date.parse(dueAt) > now + LEASE_MS;
    return [
      markup`<th scope="row">${messageName(item, texts)}</th>`,
      email,
      moment === undefined ? "" : showTime(moment),
      markup`<td class="number">${showNumber(lang, tries)}</td>`,
      reason ?? "",
      canRetry ? retryButton(item, texts) : "",
    ];
  });
  const time = refused ? texts.refusedAt : texts.dueAt;
  return markup`<form method="post" action="${PATHS.outbox}">
<input type="hidden" name="action" value="retry">
${refused && markup`<input type="hidden" name="list" value="refused">`}
${
    table({
      caption: refused ? texts.refusedCaption : texts.waitingCaption,
      head: [texts.what, texts.to, time, texts.tries, texts.why, texts.again],
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
