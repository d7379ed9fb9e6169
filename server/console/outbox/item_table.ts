/**
 * The table of letters and events: those that wait, those that were refused, and the last deliveries of events. An item
 * is a letter or an event. Each item that the operator may send again has a button, and so has a refused letter whose
 * address the operator may mark as undeliverable or correct. In the list of refused items, the operator can also choose
 * several items with checkboxes to send them again together. @module
 */
import type { ListedDelivery, ListedItem } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { lastAttemptAt, LEASE_MS } from "../../letters/mod.ts";
import { type Cell, nameIn, personLink, showAddress, showTime, table } from "../components.ts";
import { button, chosenField, type FieldValues, postForm } from "../forms.ts";
import { isTriedAfterPause, type ShownPause } from "../letter_pause.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/** The name of a list of items. */
type ItemListName = "waiting" | "refused" | "deliveries";

/** Whether something is true of letters, and whether it is true of events. */
export type OutboxFlags = Record<"letters" | "events", boolean>;

/** A row of the table: a letter or an event. */
export interface ItemRow {
  id: string;
  /** The kind of the letter, such as `invitation`, or the type of the event, such as `signup.joined`. */
  kind: string;
  /** The address of the person; empty if the event has no address any more. */
  email: string;
  /** The id of the person's record; `undefined` if the person has left the list and has no page. */
  recordId: string | undefined;
  /**
   * The date-time of the next try, of the refusal or of the last delivery. The heading of the column says which of
   * these times the list has.
   */
  time: string | undefined;
  tries: number;
  /** The date-time of the last try of a waiting item that has failed; absent for any other item. */
  lastTryAt?: string;
  /**
   * Why the last try failed. For a delivery: the status and the answer of the receiver, and how long the delivery took.
   */
  details: string;
  /** Why the e-mail is not sent any more, even if it is tried again; absent for any other item. */
  notSent?: NonNullable<ListedItem["notSent"]>;
  canRetry: boolean;
  /** Whether the item cannot be sent again now because a worker may be sending it, or because it is due soon. */
  mayBeBeingSent: boolean;
  /** Whether the item is a letter that is tried after a pause of all letters, and not at `time`. */
  isAfterPause?: boolean;
  /** Whether the operator may mark the address of the refused letter as undeliverable. */
  canMark: boolean;
  /** Whether the operator may correct the address of the letter that was refused. */
  canCorrect: boolean;
}

/** The id of the form to which the buttons in the rows belong. */
const ONE_ITEM_FORM = "one-item";

/** Whether items of a kind are events. The types of all events begin with `signup.`. */
export const isEventKind = (kind: string): boolean => kind.startsWith("signup.");

/** Whether the operator may send items of a kind again. */
export const mayRetryKind = (kind: string, mayRetry: OutboxFlags): boolean =>
  isEventKind(kind) ? mayRetry.events : mayRetry.letters;

/**
 * Whether an item that waits is due, or a worker has begun its first try. In later tries, an item has the reason of the
 * last failure, and cannot be told from an item that waits for its next try.
 */
export const isBeingTried = (
  { dueAt, tries, reason }: Pick<ListedItem, "dueAt" | "tries" | "reason">,
  now: number,
): boolean => {
  if (dueAt === undefined) return false;
  const dueInMs = Date.parse(dueAt) - now;
  return dueInMs <= 0 || dueInMs <= LEASE_MS && tries > 0 && reason === undefined;
};

/**
 * The row of an item of the outbox.
 * @param options.mayRetry whether the operator may send letters and events again
 * @param options.mayMark whether the operator may mark addresses as undeliverable; by default, `false`
 * @param options.mayCorrect whether the operator may correct addresses; by default, `false`
 * @param options.wasRefused whether the last try of a waiting letter was refused; by default, `false`
 * @param options.pause the pause of all letters; absent if there is none
 */
export function rowOfItem(
  item: ListedItem,
  { now, mayRetry, mayMark = false, mayCorrect = false, wasRefused = false, pause }: {
    now: number;
    mayRetry: OutboxFlags;
    mayMark?: boolean;
    mayCorrect?: boolean;
    wasRefused?: boolean;
    pause?: ShownPause | undefined;
  },
): ItemRow {
  const { id, message: kind, email, recordId, dueAt, refusedAt, tries, reason = "" } = item;
  const { noLetters, notSent } = item;
  // A worker that begins to send an item sets the item's due time to the end of the worker's lease, `LEASE_MS` ahead. A
  // worker may therefore be sending any item that is due within `LEASE_MS`. Such an item cannot be sent again.
  const mayBeBeingSent = dueAt !== undefined && Date.parse(dueAt) <= now + LEASE_MS;
  const canRetry = email !== "" && mayRetryKind(kind, mayRetry) && !mayBeBeingSent && !notSent;
  const time = dueAt ?? refusedAt;
  const isToPerson = !isEventKind(kind) && recordId !== undefined && !notSent;
  const canMark = mayMark && isToPerson && refusedAt !== undefined && !noLetters;
  const canCorrect = mayCorrect && isToPerson && (refusedAt !== undefined || wasRefused);
  const lastTryAt = dueAt !== undefined && tries > 0 &&
    new Date(lastAttemptAt({ tries, dueAt: Date.parse(dueAt) })).toISOString();
  const isAfterPause = dueAt !== undefined && !isEventKind(kind) &&
    isTriedAfterPause(dueAt, { pause, now });
  const row = { id, kind, email, recordId, time, tries, details: reason };
  return {
    ...row,
    ...isAfterPause && { isAfterPause },
    ...lastTryAt && { lastTryAt },
    ...notSent && { notSent },
    canRetry,
    mayBeBeingSent,
    canMark,
    canCorrect,
  };
}

/**
 * The row of a delivery. A delivery without an address cannot be sent again, because the person's record is gone.
 *
 * @param options.mayRetry whether the operator may send letters and events again
 */
export function rowOfDelivery(
  { id, event, email = "", recordId, tries, at, ms, status, answer }: ListedDelivery,
  { texts: { outbox, number }, mayRetry }: { texts: ConsoleTexts; mayRetry: OutboxFlags },
): ItemRow {
  const code = status === undefined ? outbox.noAnswer : `HTTP ${status}`;
  const details = `${code}, ${number(ms)} ms${answer && `: ${answer}`}`;
  const canRetry = email !== "" && mayRetry.events;
  const row = { id, kind: event, email, recordId, time: at, tries, details, canRetry };
  return { ...row, mayBeBeingSent: false, canMark: false, canCorrect: false };
}

/** Whether a list has a checkbox for each item that can be sent again. The script `choose.js` needs these checkboxes. */
export const hasCheckboxes = (rows: ItemRow[], list: ItemListName): boolean =>
  list === "refused" && rows.some(({ canRetry }) => canRetry);

/**
 * The table of the rows of a list. If no item can be sent again, the table has no column for buttons and none for
 * checkboxes. Above refused letters that can be sent again, a sentence says what this changes for their addresses.
 * @param options.wave the wave whose invitations the list has; absent if it has all letters and events
 * @param options.reason the code of the answer to the refused items of the list; absent if it has items of all answers
 */
export function itemTable(
  rows: ItemRow[],
  { list, wave, reason }: { list: ItemListName; wave?: string; reason?: string },
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  const { words, outbox, people, number } = texts;
  const labels = outbox.lists[list];
  const hasButtons = rows.some(({ canRetry, canMark, canCorrect }) =>
    canRetry || canMark || canCorrect
  );
  const hasLastTries = rows.some(({ lastTryAt }) => lastTryAt !== undefined);
  const isChoosing = hasCheckboxes(rows, list);
  const tableRows = rows.map((row, index): Cell[] => {
    const kindName = nameIn(outbox.messages, row.kind);
    const { email, recordId = "" } = row;
    const person = { email, id: recordId };
    const addressActs = markup`${row.canCorrect && correctLink(person, { texts, personPath })} ${
      row.canMark && markUndeliverableButton(row, { texts, personPath })
    }`;
    return [
      ...isChoosing ? [row.canRetry ? itemCheckbox(row, index, outbox) : ""] : [],
      { rowHeading: kindName },
      recipientOf(row, personPath),
      row.isAfterPause ? outbox.afterPause : row.time !== undefined && showTime(row.time, texts),
      { number: number(row.tries) },
      ...hasLastTries ? [row.lastTryAt !== undefined && showTime(row.lastTryAt, texts)] : [],
      markup`${row.details}${
        row.notSent && markup` <small>${outbox.notSent[row.notSent]}</small>`
      }`,
      ...hasButtons
        ? [
          row.canRetry
            ? markup`${retryButton(row, kindName, labels.retry)} ${addressActs}`
            : row.mayBeBeingSent && !row.canCorrect
            ? !row.isAfterPause && outbox.dueSoon
            : addressActs,
        ]
        : [],
    ];
  });
  const head = [
    ...isChoosing ? [people.chosen] : [],
    words.what,
    outbox.to,
    labels.time,
    { number: outbox.tries },
    ...hasLastTries ? [outbox.lists.waiting.givenUpAfter] : [],
    labels.reason,
    ...hasButtons ? [outbox.again] : [],
  ];
  const liftsMarks = list === "refused" &&
    rows.some(({ canRetry, kind }) => canRetry && !isEventKind(kind));
  const itemsTable = table({ caption: labels.caption, head, rows: tableRows });
  const fields = { list, wave, reason };
  // The buttons in the rows have a form of their own. In the form of the checkboxes, the Enter key would press the first
  // of them.
  const attributes = markup` id="${ONE_ITEM_FORM}"`;
  const hasTries = list !== "deliveries" && rows.some(({ tries }) => tries > 0);
  return markup`${liftsMarks && markup`<p class="soft">${outbox.retryHint}</p>`}
${isChoosing ? chooseForm(itemsTable, fields, texts) : itemsTable}
${hasTries && markup`<p class="soft">${outbox.triesCount}</p>`}
${
    hasButtons &&
    postForm({ action: PATHS.outbox, fields: { action: "retry", ...fields }, attributes }, markup``)
  }`;
}

/** The form with which the operator chooses refused items, and sends them again together. */
function chooseForm(
  itemsTable: Html,
  fields: FieldValues,
  { outbox, people }: ConsoleTexts,
): Html {
  // The script `choose.js` reads its texts from these attributes.
  const attributes =
    markup` class="rows reasons" data-choose-all="${people.chooseAll}" data-chosen="${
      people.countChosen({ count: "{count}" })
    }"`;
  // The style sheet shows either the sentence or the button, depending on whether a row is chosen.
  return postForm(
    { action: PATHS.outbox, fields: { action: "chosen", ...fields }, attributes },
    markup`${itemsTable}
<p class="actions"><span class="soft">${outbox.tickRows}</span> ${
      button(`${outbox.tryChosen} …`)
    }</p>`,
  );
}

function itemCheckbox(
  { id, kind, email }: ItemRow,
  index: number,
  { choose, letterNames, messages }: ConsoleTexts["outbox"],
): Html {
  const label = choose({ email, what: nameIn({ ...messages, ...letterNames }, kind) });
  return markup`<input type="checkbox" name="${
    chosenField(index)
  }" value="${id}" aria-label="${label}">`;
}

/**
 * Shows the address with a link to the page of the person, or as text if the person has no page. Returns an empty text
 * if the address is not kept, because the event says that the person has left.
 */
export function recipientOf(
  { email, recordId: id }: { email: string; recordId?: string | undefined },
  personPath: PageContext["personPath"],
): Html | string {
  if (email === "") return "";
  return id === undefined ? showAddress(email) : personLink({ id, email }, personPath);
}

/** The link to the page that corrects the address of the person. */
export function correctLink(
  { email, id }: { email: string; id: string },
  { texts: { person }, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  const text = `${person.correct} …`;
  return markup`<a class="button small" href="${
    personPath(id, "/correct")
  }" aria-label="${text}: ${email}">${text}</a>`;
}

/** The button that leads to the question on the page of the person whether to mark the address as undeliverable. */
function markUndeliverableButton(
  { email, recordId = "" }: ItemRow,
  { texts: { person }, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  // The dots say that another page comes before the act.
  const text = `${person.markUndeliverable} …`;
  const target = markup`formaction="${personPath(recordId)}" name="act" value="undeliverable"`;
  return markup`<button class="small" form="${ONE_ITEM_FORM}" ${target} aria-label="${text}: ${email}">${text}</button>`;
}

function retryButton({ id, email }: ItemRow, kindName: string, retryLabel: string): Html {
  // The label begins with the visible text, so that people who speak to the browser can say this text (WCAG 2.2,
  // 2.5.3).
  const label = `${retryLabel}: ${kindName}, ${email}`;
  return markup`<button class="small" form="${ONE_ITEM_FORM}" name="id" value="${id}" aria-label="${label}">${retryLabel}</button>`;
}
