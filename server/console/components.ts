/**
 * The components that several pages of the console share: times, numbers, states, notes and tables.
 *
 * @module
 */
import { Html, markup } from "../content/mod.ts";
import type { Lang, State } from "../waitlist/mod.ts";

const TEXTS = {
  en: {
    states: { unconfirmed: "Unconfirmed", waiting: "Waiting", invited: "Invited" },
    nextPage: "Next page",
    firstPage: "First page",
  },
  de: {
    states: { unconfirmed: "Unbestätigt", waiting: "Wartend", invited: "Eingeladen" },
    nextPage: "Nächste Seite",
    firstPage: "Erste Seite",
  },
} as const;

/** Names a state of a sign-up. */
export function stateName(lang: Lang, state: State): string {
  return TEXTS[lang].states[state];
}

/** The words of the links and buttons of a list with pages. */
export function pagingTexts(lang: Lang): { nextPage: string; firstPage: string } {
  return TEXTS[lang];
}

/** Shows a state of a sign-up as a badge. */
export function stateBadge(lang: Lang, state: State): Html {
  return markup`<span class="badge ${state}">${stateName(lang, state)}</span>`;
}

const LOCALES = { en: "en-GB", de: "de-DE" } as const;
const NUMBERS = {
  en: new Intl.NumberFormat(LOCALES.en),
  de: new Intl.NumberFormat(LOCALES.de),
};

/** Writes a number as the language does, such as `12.345` in German. */
export function showNumber(lang: Lang, value: number): string {
  return NUMBERS[lang].format(value);
}

/** A cell of a table with a number. */
export function numberCell(lang: Lang, value: number): Html {
  return markup`<td class="number">${showNumber(lang, value)}</td>`;
}

/** The heading of a column of numbers. */
export function numberHead(name: string): Html {
  return markup`<th scope="col" class="number">${name}</th>`;
}

/**
 * Shows a moment in UTC, to the minute.
 *
 * @param moment a date-time in UTC, such as `2026-11-21T12:00:20.000Z`
 */
export function showTime(moment: string): Html {
  const text = `${moment.slice(0, 10)} ${moment.slice(11, 16)}`;
  return markup`<time datetime="${moment}">${text} UTC</time>`;
}

/** A note about something that failed, which a screen reader reads out at once. */
export function faultNote(message: string | Html): Html {
  return markup`<p class="fault" role="alert">${message}</p>`;
}

/** A note about something that was done. */
export function doneNote(message: string | Html): Html {
  return markup`<p class="notice" role="status">${message}</p>`;
}

/** Names with values, line by line; a fact without a value is left out. */
export function facts(pairs: [name: string, value: string | Html | undefined | false][]): Html {
  const given = pairs.filter(([, value]) => value);
  return markup`<dl class="facts">
${given.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

/** What a table shows; a cell or heading that is a whole `td` or `th` stands as it is. */
export interface TableOptions {
  caption: string;
  head: (string | Html)[];
  rows: (string | Html)[][];
}

/** A table in a frame of its own, in which it scrolls where the window is narrow. */
export function table({ caption, head, rows }: TableOptions): Html {
  const isCell = (value: string | Html) => value instanceof Html && /^<t[dh][ >]/.test(value.text);
  const heading = (value: string | Html) =>
    isCell(value) ? value as Html : markup`<th scope="col">${value}</th>`;
  const cell = (value: string | Html) => isCell(value) ? value as Html : markup`<td>${value}</td>`;
  return markup`<div class="table" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>
${rows.map((cells) => markup`<tr>${cells.map(cell)}</tr>`)}
</tbody>
</table></div>`;
}
