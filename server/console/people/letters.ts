/**
 * The section of a person's page about e-mails: those that wait or were rejected, with a button that sends them again,
 * and the log of the last 90 days. @module
 */
import { LETTER_KINDS } from "../../../shared/letter_kinds.ts";
import type { ListedItem, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { section } from "../components.ts";
import { letterTable } from "../letter_table.ts";
import { itemTable, rowOfItem } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";

/** The id of the section. */
export const LETTERS_ID = "letters";

/**
 * The section; `undefined` if there is no e-mail to show.
 * @param action the path to which the forms are sent
 */
export function lettersSection(
  { outboxItems = [], letterLog = [], corrections }: ShownSignup,
  pageContext: PageContext,
  action: string,
): Html | undefined {
  const { texts } = pageContext;
  const letters = outboxItems.filter(({ message }) =>
    (LETTER_KINDS as readonly string[]).includes(message)
  );
  if (letters.length === 0 && letterLog.length === 0) return undefined;
  const showItems = (items: ListedItem[], list: "waiting" | "refused") =>
    outboxTable(items, list, { pageContext, action });
  const isRefused = ({ refusedAt }: ListedItem) => refusedAt !== undefined;
  return section(
    LETTERS_ID,
    texts.person.letters,
    markup`${showItems(letters.filter((letter) => !isRefused(letter)), "waiting")}
${showItems(letters.filter(isRefused), "refused")}
${letterLog.length > 0 && letterTable(letterLog, { texts, correctedAt: corrections?.at(-1)?.at })}`,
  );
}

/** The table of the e-mails that wait, or of the rejected e-mails; `undefined` if there are none. */
function outboxTable(
  items: ListedItem[],
  list: "waiting" | "refused",
  { pageContext, action }: { pageContext: PageContext; action: string },
): Html | undefined {
  if (items.length === 0) return undefined;
  const { may, now, previewInvitation } = pageContext;
  const sendsLetters = previewInvitation !== undefined;
  const mayRetry = { letters: sendsLetters && may("retryOutbox"), events: false };
  const rows = items.map((item) => rowOfItem(item, { now, mayRetry }));
  return itemTable(rows, list, pageContext, { action, fields: { act: "retry" } });
}
