/**
 * The questions before several rejected items are sent again: how many items it concerns, and what follows from it. A
 * new try of one item needs no question. @module
 */
import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { failedView } from "../components.ts";
import { checkbox, chosenField, confirmView, type FieldValues, pathWith } from "../forms.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";

/** How many rejected items are read to count those that are left out. */
const MAX_COUNTED = 1_000;

/**
 * Asks whether to send all refused items again, because this can pause all letters. Letters to people who are marked as
 * undeliverable are left out unless the operator chooses them, because they would be refused again, and three of them in
 * a row pause all letters.
 */
export async function askToRetryAll({ operations, texts }: PageContext): Promise<View> {
  const { outbox: labels, words, number } = texts;
  const list = "refused";
  const back = pathWith(PATHS.outbox, { list });
  const itemList = await operations.listOutbox({ refused: true, limit: MAX_COUNTED });
  if ("failure" in itemList) return failedView(itemList, texts, { title: labels.allTitle, back });
  const { items, next } = itemList;
  const showCount = (counted: ListedItem[]) => `${number(counted.length)}${next ? "+" : ""}`;
  const notSent = items.filter((item) => item.notSent);
  const marked = items.filter((item) => item.noLetters && !item.notSent);
  const others = items.filter((item) => !item.noLetters && !item.notSent);
  const mayHaveMarked = marked.length > 0 || next !== undefined;
  const includeMarked = checkbox("marked", {
    label: labels.allWithMarked({ count: showCount(marked) }),
    checked: false,
    hint: markup`${labels.allMarks}`,
  });
  return confirmView({
    title: labels.allTitle,
    body: markup`<ul class="bullets">
<li>${labels.allCount({ count: showCount(others) })}</li>
${notSent.length > 0 && markup`<li>${labels.allNotSent({ count: showCount(notSent) })}</li>`}
<li>${labels.allPause}</li>
</ul>`,
    action: PATHS.outbox,
    fields: { action: "all", list },
    ...mayHaveMarked && { inputs: includeMarked },
    submit: labels.all,
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
  });
}

/**
 * Asks whether to send the chosen items again.
 * @param ids the ids of the items
 * @param options.filters the list that the page shows afterwards, with its filters
 */
export function askToRetryChosen(
  ids: string[],
  { texts, filters }: Pick<PageContext, "texts"> & { filters: FieldValues },
): View {
  const { outbox: labels, words, number } = texts;
  const chosen = Object.fromEntries(ids.map((id, index) => [chosenField(index), id]));
  const back = pathWith(PATHS.outbox, filters);
  return confirmView({
    title: labels.chosenTitle,
    body: markup`<ul class="bullets">
<li>${labels.allCount({ count: number(ids.length) })}</li>
<li>${labels.retryHint}</li>
<li>${labels.allPause}</li>
</ul>`,
    action: PATHS.outbox,
    fields: { action: "chosen", ...filters, ...chosen },
    submit: labels.tryCountAgain({ count: number(ids.length) }),
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
  });
}
