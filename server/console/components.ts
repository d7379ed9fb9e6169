/**
 * What several pages of the console show: sections, tables, facts, notes, the progress of work and links to lists, and
 * the pages about failures. @module
 */
import type { ListedSignup, OperatorError } from "../../shared/operator_schemas.ts";
import { ownMember } from "../../shared/own_member.ts";
import { type ConsoleTexts, Html, markup } from "../content/mod.ts";
import { describeOperatorFailure } from "../operator/mod.ts";
import type { YieldToCalls } from "../runtime/mod.ts";
import { type FieldValues, pathWith } from "./forms.ts";
import { type PageContext, type PageFailure, PATHS, type View } from "./page_context.ts";

/** The names that a page shows for the values of an operation, by value. Some values have no name. */
export type Names = Partial<Record<string, string>>;

/** Returns the name of a value, or the value itself where it has no name. */
export const nameIn = (names: Names, value: string): string => ownMember(names, value) ?? value;

/** A section with a heading, which names the section for screen readers. */
export function section(id: string, heading: string, content: Html): Html {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>`;
}

/**
 * The state of a person, as a badge in the colour of the state. Further badges say why the person gets no letters, if
 * the mailbox has complained or the address is undeliverable, and that a mail server has rejected a letter to the person.
 */
export function personBadges(
  { words, invite: { reasons } }: ConsoleTexts,
  { state = "waiting", complainedAt, undeliverableAt, refusedLetter, letterWaits }: Pick<
    ListedSignup,
    "state" | "complainedAt" | "undeliverableAt" | "refusedLetter" | "letterWaits"
  >,
): Html {
  const whyNoLetters = complainedAt ? words.complained : undeliverableAt && reasons.undeliverable;
  return markup`<span class="badge ${state}">${words.states[state]}</span>${
    whyNoLetters && markup` <span class="badge bad">${whyNoLetters}</span>`
  }${refusedLetter && markup` <span class="badge bad">${words.letterRejected}</span>`}${
    letterWaits && markup` <span class="badge">${words.letterWaits}</span>`
  }`;
}

/** Shows an e-mail address, in which a browser may break the line behind the `@`. */
export function showAddress(email: string): Html {
  const domainStart = email.lastIndexOf("@") + 1;
  return markup`${email.slice(0, domainStart)}<wbr>${email.slice(domainStart)}`;
}

/** Shows the address of a person as a link to the page of the person. */
export function personLink(
  { id, email }: { id: string; email: string },
  personPath: PageContext["personPath"],
): Html {
  return markup`<a href="${personPath(id)}">${showAddress(email)}</a>`;
}

/**
 * Shows a UTC day such as `2026-11-21`, or a date-time such as `2026-11-21T12:00:20.000Z`. The text of a date-time ends
 * with the minutes. Each page says that its times are in UTC.
 */
export function showTime(moment: string, { date }: Pick<ConsoleTexts, "date">): Html {
  return markup`<time datetime="${moment}">${date(moment)}</time>`;
}

/** Shows a date-time with its seconds and with `UTC`, as a proof needs it. */
export function showExactTime(moment: string, texts: Pick<ConsoleTexts, "exactTime">): Html {
  return markup`<time datetime="${moment}">${texts.exactTime(moment)}</time>`;
}

/** Shows the moment at which something ends, in the form of `formatEnd()` in `content/dates.ts`. */
export function showEnd(moment: string, { end }: Pick<ConsoleTexts, "end">): Html {
  return markup`<time datetime="${moment}">${end(moment)}</time>`;
}

/** How many seconds each unit of time has, the largest unit first. */
const UNIT_SECONDS = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/**
 * Shows a duration, such as `3 hours`. The unit is the largest of which the duration has at least two, and the number
 * is rounded. With `isExact`, the unit is the largest in which the duration is a whole number.
 */
export function showDuration(lang: string, seconds: number, options?: DurationOptions): string {
  return durationParts(lang, seconds, options).map(({ value }) => value).join("");
}

/** Shows a duration as a figure: the number is large, and the unit beside it is small. */
export function durationFigure(lang: string, seconds: number): Html {
  const parts = durationParts(lang, seconds).map(({ type, value }) =>
    type === "unit" ? markup`<small>${value}</small>` : markup`${value}`
  );
  return markup`${parts}`;
}

interface DurationOptions {
  isExact?: boolean;
}

/** The number and the unit of a duration, as {@linkcode showDuration} describes them. */
function durationParts(
  lang: string,
  seconds: number,
  { isExact = false }: DurationOptions = {},
): Intl.NumberFormatPart[] {
  const fits = (unitSeconds: number) =>
    isExact ? seconds >= unitSeconds && seconds % unitSeconds === 0 : seconds >= 2 * unitSeconds;
  const fittingUnit = Object.entries(UNIT_SECONDS).find(([, unitSeconds]) => fits(unitSeconds));
  const [unit, unitSeconds] = fittingUnit ?? ["second", UNIT_SECONDS.second];
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return format.formatToParts(Math.round(seconds / unitSeconds));
}

/**
 * A number of people, with a link to the list of these people unless the number is 0.
 * @param filters the filters of the list
 */
export function countLink(
  count: number,
  filters: FieldValues,
  { number }: Pick<ConsoleTexts, "number">,
): Html | string {
  return linkedCount(count, pathWith(PATHS.people, filters), { number });
}

/** A number with a link to the list of what it counts; without a link if it is 0. */
export const linkedCount = (
  count: number,
  path: string,
  { number }: Pick<ConsoleTexts, "number">,
): Html | string => count === 0 ? number(count) : markup`<a href="${path}">${number(count)}</a>`;

/** The path of the list of people. @param query the query of the list from which the operator came */
export function pathOfList(query: string | null | undefined): string {
  return query ? `${PATHS.people}?${query}` : PATHS.people;
}

/** A link back to the list of people. @param query the query of the list from which the operator came */
export function listLink(query: string | null | undefined, label: string): Html {
  return markup`<p><a href="${pathOfList(query)}">${label}</a></p>`;
}

/** Links to other pages of a list, as pairs of label and path. A pair without a path is left out. */
export function pager(
  pages: [label: string, path: string | undefined | false][],
): Html | undefined {
  const links = pages.flatMap(([label, path]) =>
    path ? [markup`<a class="button" href="${path}">${label}</a>`] : []
  );
  if (links.length === 0) return undefined;
  return markup`<div class="actions">
${links}
</div>`;
}

/** A note about an error, which a screen reader reads out at once. */
export function faultNote(message: string | Html): Html {
  return markup`<p class="fault" role="alert">${message}</p>`;
}

/**
 * A note about an action that was done (`notice`), about something that needs attention (`warning`), or about neither
 * (`neutral`). A screen reader reads the note out as soon as it has finished reading other text.
 */
export function statusNote(
  message: string | Html,
  kind: "notice" | "warning" | "neutral" = "notice",
): Html {
  return markup`<p class="${kind}" role="status">${message}</p>`;
}

/** A bar that shows the progress of work. */
export function progressBar(
  { label, done, whole, text }: {
    label: string;
    done: number;
    whole: number;
    /** The progress in words. */
    text: string;
  },
): Html {
  return markup`<p class="progress"><progress max="${whole}" value="${done}" aria-label="${label}"></progress> ${text}</p>`;
}

/** How often a page loads again while the work that it shows goes on. */
export type ReloadPace = "fast" | "slow";

/** After how many seconds a page loads again: `slow` is for work that waits for a later moment. */
const RELOAD_SECONDS: Readonly<Record<ReloadPace, number>> = { fast: 2, slow: 60 };

/** The query parameter that stops the reloading of a page. */
const STILL_PARAMETER = "still";

/** Whether a page whose work goes on loads again by itself. The link in {@linkcode goesOnNote} stops the reloading. */
export const mayReload = (query: URLSearchParams): boolean => !query.has(STILL_PARAMETER);

/** The element with which a page loads again by itself. */
export const reloadElement = (pace: ReloadPace = "fast"): Html =>
  markup`<meta http-equiv="refresh" content="${RELOAD_SECONDS[pace]}">`;

/**
 * Says that work goes on by itself. If the page loads again and again, also links to the page without reloading.
 *
 * @param sentence says that the work goes on
 * @param options.path the path of the page, without the query
 * @param options.query the query of the page
 * @param options.pace how often the page loads again
 */
export function goesOnNote(
  sentence: string | Html,
  { invite: labels }: ConsoleTexts,
  { path, query, isReloading, pace = "fast" }: {
    path: string;
    query: FieldValues;
    isReloading: boolean;
    pace?: ReloadPace;
  },
): Html {
  // The link is needed, because users must be able to stop a page that changes by itself (WCAG 2.2, 2.2.2).
  const stillPath = pathWith(path, { ...query, [STILL_PARAMETER]: true });
  const stillLink = markup`<a href="${stillPath}">${labels.still}</a>`;
  const reloads = pace === "fast" ? labels.reloads : labels.reloadsSlowly;
  return markup`<p class="soft">${sentence} ${isReloading && markup`${reloads} ${stillLink}`}</p>`;
}

/** A name with its value. A fact without a value is not shown. */
export type Fact = [name: string, value: string | Html | undefined | false];

/**
 * A list of facts: `facts` shows each fact on a line of its own, and `figures` shows large numbers beside each other.
 */
export function facts(list: Fact[], kind: "facts" | "figures" = "facts"): Html {
  const shownFacts = list.filter(([, value]) => value);
  return markup`<dl class="${kind}">
${shownFacts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

/** A cell of a table: a text, a number (aligned to the right), or the heading of its row. */
export type Cell =
  | string
  | Html
  | { number: string | Html }
  | { rowHeading: string | Html }
  /** An empty cell. For example, `may("pauseWave") && form` is `false` if the operator may not pause waves. */
  | undefined
  | false;

/** How many columns a phone has room for. */
const PHONE_COLUMNS = 3;

/** How many rows of a long table are made at once. */
const ROWS_AT_ONCE = 10;

/**
 * Makes the rows of a long table in parts. After each part, lets waiting API calls go first, because a sign-up would
 * otherwise wait for several milliseconds.
 */
export async function makeRows<Item>(
  items: readonly Item[],
  toRow: (item: Item, index: number) => Cell[],
  { yieldToCalls }: { yieldToCalls: YieldToCalls },
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const [index, item] of items.entries()) {
    rows.push(toRow(item, index));
    if (rows.length % ROWS_AT_ONCE === 0) await yieldToCalls();
  }
  return rows;
}

/** A table, which scrolls in a narrow window. @param stacks whether a phone shows the cells of a row below each other */
export function table(
  { caption, head, rows, stacks = head.length > PHONE_COLUMNS }: {
    caption: string;
    head: (string | { number: string })[];
    rows: Cell[][];
    stacks?: boolean;
  },
): Html {
  const stacked = stacks && " many";
  const columnNames = head.map((heading) => typeof heading === "string" ? heading : heading.number);
  return markup`<div class="table${stacked}" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map(showHeading)}</tr></thead>
<tbody>
${
    rows.map((cells) =>
      markup`<tr>${cells.map((cell, index) => showCell(cell, columnNames[index]))}</tr>`
    )
  }
</tbody>
</table></div>`;
}

function showHeading(heading: string | { number: string }): Html {
  if (typeof heading === "string") return markup`<th scope="col">${heading}</th>`;
  return markup`<th scope="col" class="number">${heading.number}</th>`;
}

function showCell(cell: Cell, column?: string): Html {
  // This attribute has the name of the column. On a phone, the style sheet shows the name before the cell's content.
  const label = markup` data-label="${column}"`;
  if (!cell || typeof cell === "string" || cell instanceof Html) {
    return markup`<td${label}>${cell}</td>`;
  }
  if ("rowHeading" in cell) return markup`<th scope="row">${cell.rowHeading}</th>`;
  return markup`<td class="number"${label}>${cell.number}</td>`;
}

/**
 * Sentences that explain failures, by error code. The sentences of one page take precedence over the sentences that all
 * pages share, in which `null` stands for an error code without a sentence.
 */
export type FailureMessages = Partial<Record<OperatorError["error"], string | null>>;

/** Error codes that stand for many reasons. Only the operation's own message names the reason. */
const UNSPECIFIC_CODES = new Set<OperatorError["error"]>(["invalid_request", "conflict"]);

/** The HTTP status of a page that shows a failure. */
export const statusOf = (failure: PageFailure): number => describeOperatorFailure(failure).status;

/**
 * A note that says why an operation failed. It has the sentence in `messages` for the error code or, without this
 * sentence, the sentence that all pages share. If the shared sentence alone says too little, the operation's own
 * message in English follows. On an English page, this message takes the place of the shared sentence.
 */
export function failureNote(
  failure: PageFailure,
  { failures: labels }: ConsoleTexts,
  messages: FailureMessages = {},
): Html {
  const { code, message } = describeOperatorFailure(failure);
  const pageMessage = messages[code];
  if (pageMessage) return faultNote(pageMessage);
  const sharedMessages: FailureMessages = labels.codes;
  const sharedMessage = sharedMessages[code];
  if (sharedMessage && !UNSPECIFIC_CODES.has(code)) return faultNote(sharedMessage);
  // On a page in another language, the text `detail` introduces the English message. In English, `detail` is `null`.
  if (labels.detail === null) return faultNote(message);
  return faultNote(
    markup`${sharedMessage ?? labels.other} ${labels.detail} <span lang="en">${message}</span>`,
  );
}

/** A page that says why an operation failed. @param back the path to which the page links */
export function failedView(
  failure: PageFailure,
  texts: ConsoleTexts,
  { title, back, messages }: { title: string; back?: string; messages?: FailureMessages },
): View {
  return {
    title,
    status: statusOf(failure),
    body: markup`${failureNote(failure, texts, messages)}
${back !== undefined && markup`<p><a href="${back}">${texts.words.back}</a></p>`}`,
  };
}

/** The page for a form whose field `action` is missing or unknown. @param options.actions the known actions */
export function unknownActionView(
  texts: ConsoleTexts,
  { title, back, actions }: { title: string; back: string; actions: readonly string[] },
): View {
  const choice = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(actions);
  const message = `Field 'action' is missing or unknown; give ${choice}.`;
  return failedView({ failure: "invalid_request", message }, texts, { title, back });
}

/** The page for an operator who has sent too many requests. @param seconds how long the operator has to wait */
export function busyView({ failures }: ConsoleTexts, seconds: number): View {
  return { title: failures.busy, status: 429, body: faultNote(failures.rateLimited({ seconds })) };
}

/** The page for an operator whose role does not allow the requested page. */
export function forbiddenView(texts: ConsoleTexts): View {
  const { failures } = texts;
  return deadEndView(403, failures.forbidden, texts, faultNote(failures.codes.forbidden));
}

/** The page for a path of the console that does not exist. */
export function noPageView(texts: ConsoleTexts): View {
  return deadEndView(404, texts.failures.noPage, texts);
}

function deadEndView(status: number, title: string, { pages }: ConsoleTexts, note?: Html): View {
  const body = markup`${note}<p><a href="${PATHS.overview}">${pages.overview}</a></p>`;
  return { title, status, body };
}
