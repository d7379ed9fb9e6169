/** The components that several pages of the console share. @module */
import { type ConsoleTexts, Html, markup } from "../content/mod.ts";
import type { Lang, Source, State } from "../waitlist/mod.ts";

export type Fields = ReadonlyMap<string, string>;

/** Fields that a form or a link hands on: `true` is `yes`, and those without a value are left out. */
export type HandedOn = Readonly<Record<string, string | number | boolean | undefined>>;

export const LANGS: readonly Lang[] = ["en", "de"], SOURCES: readonly Source[] = ["hero", "cta"];

/** The names of values; an operation may give values that have none here. */
export type Names = Partial<Record<string, string>>;

/** Names a value; one that is not known stands as it is. */
export function nameIn(names: Names, value: string): string {
  return names[value] ?? value;
}

export function knownValue<Value extends string>(
  values: readonly Value[],
  given: string | null | undefined,
): Value | undefined {
  return values.find((value) => value === given);
}

/** Gives the fields that have a value, as they are sent. */
export function withValues(fields: HandedOn): Fields {
  const given = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== false && value !== "");
  return new Map(given.map(([name, value]) => [name, value === true ? "yes" : String(value)]));
}

export function pathWith(path: string, fields: HandedOn): string {
  const query = new URLSearchParams([...withValues(fields)]);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A form that posts the fields that it hands on, and what is typed into its content. */
export function postForm(
  { action, fields = {}, attributes }: { action: string; fields?: HandedOn; attributes?: Html },
  content: Html,
): Html {
  const hidden = [...withValues(fields)].map(([name, value]) =>
    markup`<input type="hidden" name="${name}" value="${value}">`
  );
  return markup`<form method="post" action="${action}"${attributes}>
${hidden}
${content}
</form>`;
}

export function button(label: string, kind?: "primary" | "danger" | "link"): Html {
  return markup`<button${kind && markup` class="${kind}"`} type="submit">${label}</button>`;
}

/** A field to type into. @param attributes those of the input, such as its type and value */
export function field(name: string, label: string, attributes: Html, hint?: string | Html): Html {
  return markup`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}"${attributes}${hint && markup` aria-describedby="${name}-hint"`}>
${hint && markup`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

export function checkbox(
  { name, label, checked, hint }: { name: string; label: string; checked: boolean; hint?: Html },
): Html {
  return markup`<div class="field">
<label><input type="checkbox" name="${name}" value="yes"${checked && markup` checked`}${
    hint && markup` aria-describedby="${name}-hint"`
  }> ${label}</label>
${hint && markup`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

/** A field with some values to choose from. @param names the values with what they are called */
export function select(
  { name, label, chosen }: { name: string; label: string; chosen?: string | undefined },
  names: readonly (readonly [value: string, name: string])[],
): Html {
  const options = names.map(([value, text]) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${options}
</select>
</div>`;
}

/** A field of the names of a group of texts, and "all". */
export function filter(
  { fields, all }: ConsoleTexts["words"],
  name: "state" | "lang" | "source" | "role" | "building",
  { names, chosen }: { names: Readonly<Record<string, string>>; chosen?: string | undefined },
): Html {
  return select({ name, label: fields[name], chosen }, [["", all], ...Object.entries(names)]);
}

export function section(id: string, heading: string, content: Html): Html {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>`;
}

export function stateBadge({ words }: ConsoleTexts, state: State): Html {
  return markup`<span class="badge ${state}">${words.states[state]}</span>`;
}

/** Shows a date-time in UTC, such as `2026-11-21T12:00:20.000Z`, to the minute. */
export function showTime(moment: string): Html {
  const text = `${moment.slice(0, 10)} ${moment.slice(11, 16)}`;
  return markup`<time datetime="${moment}">${text} UTC</time>`;
}

/** A note about something that failed, which a screen reader reads out at once. */
export function faultNote(message: string | Html): Html {
  return markup`<p class="fault" role="alert">${message}</p>`;
}

/** A note about something that was done, or that needs attention. */
export function doneNote(message: string | Html, kind: "notice" | "warning" = "notice"): Html {
  return markup`<p class="${kind}" role="status">${message}</p>`;
}

/** Names with values, line by line; a fact without a value is left out. */
export function facts(
  pairs: [name: string, value: string | Html | undefined | false][],
  kind: "facts" | "figures" = "facts",
): Html {
  const given = pairs.filter(([, value]) => value);
  return markup`<dl class="${kind}">
${given.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

/** A cell of a table, or the heading of a column: text, a number as it is written, or what names a row. */
export type Cell = string | Html | { number: string } | { row: string | Html };

/** A table in a frame of its own, in which it scrolls where the window is narrow. */
export function table(
  { caption, head, rows }: { caption: string; head: Cell[]; rows: Cell[][] },
): Html {
  const heading = new Html(`th scope="col"`), data = new Html("td");
  return markup`<div class="table" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((cell) => showCell(cell, heading))}</tr></thead>
<tbody>
${rows.map((cells) => markup`<tr>${cells.map((cell) => showCell(cell, data))}</tr>`)}
</tbody>
</table></div>`;
}

function showCell(cell: Cell, tag: Html): Html {
  const end = new Html(tag.text.slice(0, 2));
  if (typeof cell === "string" || cell instanceof Html) return markup`<${tag}>${cell}</${end}>`;
  if ("row" in cell) return markup`<th scope="row">${cell.row}</th>`;
  return markup`<${tag} class="number">${cell.number}</${end}>`;
}

/** The ways to other pages of a list; with `posts`, they are forms, as no URL may have what they hand on. */
export function pager(
  path: string,
  pages: [label: string, fields: HandedOn | undefined | false][],
  { posts = false } = {},
): Html | undefined {
  const steps = pages.flatMap(([label, fields]) => {
    if (!fields) return [];
    if (posts) return [postForm({ action: path, fields }, button(label))];
    return [markup`<a class="button" href="${pathWith(path, fields)}">${label}</a>`];
  });
  if (steps.length === 0) return undefined;
  return markup`<div class="actions">
${steps}
</div>`;
}

/** Makes the page that asks before an action that cannot be undone; `cancel` is the way back, a link or a form. */
export function confirmView({ title, body, action, fields, submit, cancel }: {
  title: string;
  body: Html;
  action: string;
  fields: HandedOn;
  submit: string;
  cancel: Html;
}): { title: string; body: Html } {
  return {
    title,
    body: markup`${body}
<div class="actions">
${postForm({ action, fields: { ...fields, confirmed: true } }, button(submit, "danger"))}
${cancel}
</div>`,
  };
}

export function isConfirmed(form: Fields): boolean {
  return form.get("confirmed") === "yes";
}
