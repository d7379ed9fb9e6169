/** What several pages of the console show: notes, facts, tables, and failures of operations. @module */
import { ownMember } from "../../shared/own_member.ts";
import type { OperatorError } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, Html, markup } from "../content/mod.ts";
import { tellFailure } from "../operator/mod.ts";
import type { State } from "../waitlist/mod.ts";
import { type HandedOn, pathWith } from "./form_fields.ts";
import { type PageFailure, PATHS, type View } from "./page_context.ts";

/** The names of values; an operation may give values that have none here. */
export type Names = Partial<Record<string, string>>;

/** Names a value; one that is not known stands as it is. */
export const nameIn = (names: Names, value: string): string => ownMember(names, value) ?? value;

export function section(id: string, heading: string, content: Html): Html {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>`;
}

export function stateBadge({ words }: ConsoleTexts, state: State): Html {
  return markup`<span class="badge ${state}">${words.states[state]}</span>`;
}

/** An address that a narrow column breaks behind its @. */
export function breakable(email: string): Html {
  const at = email.lastIndexOf("@") + 1;
  return markup`${email.slice(0, at)}<wbr>${email.slice(at)}`;
}

/** Shows a UTC day, or a date-time such as `2026-11-21T12:00:20.000Z` to the minute; each page says that it is UTC. */
export function showTime(moment: string, { date }: Pick<ConsoleTexts, "date">): Html {
  return markup`<time datetime="${moment}">${date(moment)}</time>`;
}

/** A number that leads to the people whom it counts: those of the list with these filters. */
export function countLink(
  count: number,
  filters: HandedOn,
  { number }: Pick<ConsoleTexts, "number">,
): Html | string {
  const path = pathWith(PATHS.people, filters);
  return count === 0 ? number(count) : markup`<a href="${path}">${number(count)}</a>`;
}

const UNIT_SECONDS = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** Writes a time in the largest unit of which there are two at least, such as `3 hours`, or a whole number. */
export function showDuration(lang: string, seconds: number, { isExact = false } = {}): string {
  const [unit, size] =
    Object.entries(UNIT_SECONDS).find(([, size]) =>
      isExact ? seconds >= size && seconds % size === 0 : seconds >= 2 * size
    ) ?? ["second", 1];
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(seconds / size));
}

/** A note about something that failed, which a screen reader reads out at once. */
export function faultNote(message: string | Html): Html {
  return markup`<p class="fault" role="alert">${message}</p>`;
}

/** A note about something that was done, or that needs attention. */
export function doneNote(message: string | Html, kind: "notice" | "warning" = "notice"): Html {
  return markup`<p class="${kind}" role="status">${message}</p>`;
}

/** How far work is. */
export function progressBar(label: string, done: number, whole: number, text: string): Html {
  return markup`<p class="progress"><progress max="${whole}" value="${done}" aria-label="${label}"></progress> ${text}</p>`;
}

export type Fact = [name: string, value: string | Html | undefined | false];

/** Names with values, line by line; a fact without a value is left out. */
export function facts(pairs: Fact[], kind: "facts" | "figures" = "facts"): Html {
  const given = pairs.filter(([, value]) => value);
  return markup`<dl class="${kind}">
${given.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

/** A cell of a table: text, a number as it is written, or what names the row. */
export type Cell = string | Html | { number: string | Html } | { row: string | Html };

/** The most columns that a phone has room for. */
const FEW_COLUMNS = 3;

/** A table that scrolls in a narrow window; on a phone, the style sheet shows rows of many columns as lines. */
export function table(
  { caption, head, rows, stacks = head.length > FEW_COLUMNS }: {
    caption: string;
    head: (string | { number: string })[];
    rows: Cell[][];
    stacks?: boolean;
  },
): Html {
  const many = stacks && " many";
  const names = head.map((heading) => typeof heading === "string" ? heading : heading.number);
  return markup`<div class="table${many}" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map(showHeading)}</tr></thead>
<tbody>
${rows.map((cells) => markup`<tr>${cells.map((cell, at) => showCell(cell, names[at]))}</tr>`)}
</tbody>
</table></div>`;
}

function showHeading(heading: string | { number: string }): Html {
  if (typeof heading === "string") return markup`<th scope="col">${heading}</th>`;
  return markup`<th scope="col" class="number">${heading.number}</th>`;
}

function showCell(cell: Cell, column?: string): Html {
  const label = markup` data-label="${column}"`;
  if (typeof cell === "string" || cell instanceof Html) return markup`<td${label}>${cell}</td>`;
  if ("row" in cell) return markup`<th scope="row">${cell.row}</th>`;
  return markup`<td class="number"${label}>${cell.number}</td>`;
}

/** Sentences of a page about failures that it knows more about, by their codes. */
export type KnownFailures = Partial<Record<OperatorError["error"], string | null>>;

/** Codes with many reasons. */
const NEEDS_DETAIL = new Set<OperatorError["error"]>(["invalid_request", "conflict"]);

/** The HTTP status of a page that shows a failure. */
export const statusOf = (failed: PageFailure): number => tellFailure(failed)[0];

/**
 * Says why an operation failed, by the code of the failure; the sentences in `known` come first. The operation's own
 * sentence, which names the field or the reason, is kept where the code alone says too little.
 */
export function failureNote(
  failed: PageFailure,
  { failures: texts }: ConsoleTexts,
  known: KnownFailures = {},
): Html {
  const [, code, message] = tellFailure(failed);
  const text = known[code] ?? (texts.codes as KnownFailures)[code];
  if (text && (known[code] || !NEEDS_DETAIL.has(code))) return faultNote(text);
  // The operation's own sentence is English.
  if (texts.detail === null) return faultNote(message);
  return faultNote(
    markup`${text ?? texts.other} ${texts.detail} <span lang="en">${message}</span>`,
  );
}

/** Shows the failure of an operation as a page, with its status. @param back the page to go on with */
export function failedView(
  failed: PageFailure,
  texts: ConsoleTexts,
  { title, back, known }: { title: string; back?: string; known?: KnownFailures },
): View {
  return {
    title,
    status: statusOf(failed),
    body: markup`${failureNote(failed, texts, known)}
${back !== undefined && markup`<p><a href="${back}">${texts.words.back}</a></p>`}`,
  };
}

/** A page for an operator who has sent too many requests. @param seconds how long to wait */
export function busyView({ failures }: ConsoleTexts, seconds: number): View {
  return { title: failures.busy, status: 429, body: faultNote(failures.rateLimited({ seconds })) };
}

/** A page that the role of an operator does not allow. */
export const forbiddenView = (texts: ConsoleTexts) =>
  wayOut(403, texts.failures.forbidden, texts, faultNote(texts.failures.codes.forbidden));

export const noPageView = (texts: ConsoleTexts) => wayOut(404, texts.failures.noPage, texts);

function wayOut(status: number, title: string, { pages }: ConsoleTexts, note?: Html): View {
  const body = markup`${note}<p><a href="${PATHS.overview}">${pages.overview}</a></p>`;
  return { title, status, body };
}
