/** Forms: their fields, what they and links hand on, and the page that asks before an action. @module */
import { ownMember } from "../../shared/own_member.ts";
import { addDays, isDay } from "../../shared/moments.ts";
import { type ConsoleTexts, type Html, markup, select } from "../content/mod.ts";

export type Fields = ReadonlyMap<string, string>;

/** Fields that a form or a link hands on: `true` is `yes`, and those without a value are left out. */
export type HandedOn = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function knownValue<Value extends string>(
  values: readonly Value[],
  given: string | null | undefined,
): Value | undefined {
  return values.find((value) => value === given);
}

/** Gives the fields that have a value, as they are sent. */
export function withValues(fields: HandedOn): Fields {
  const given = Object.entries(fields)
    .filter(([, value]) =>
      value !== undefined && value !== null && value !== false && value !== ""
    );
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
export function field(name: string, label: string, attributes: Html, hint?: string): Html {
  return markup`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}"${attributes}${describedBy(name, hint)}>
${hintOf(name, hint)}
</div>`;
}

export function checkbox(
  { name, label, checked, hint }: { name: string; label: string; checked: boolean; hint?: Html },
): Html {
  const attributes = markup`${checked && markup` checked`}${describedBy(name, hint)}`;
  return markup`<div class="field">
<label><input type="checkbox" name="${name}" value="yes"${attributes}> ${label}</label>
${hintOf(name, hint)}
</div>`;
}

const describedBy = (name: string, hint?: string | Html) =>
  hint && markup` aria-describedby="${name}-hint"`;

const hintOf = (name: string, hint?: string | Html) =>
  hint && markup`<p class="hint" id="${name}-hint">${hint}</p>`;

/** A field of the states, the languages or the sources, and "all". */
export function filter(
  { fields, all, states, langs, sources }: ConsoleTexts["words"],
  name: "state" | "lang" | "source",
  chosen?: string,
): Html {
  const names = Object.entries({ state: states, lang: langs, source: sources }[name]);
  return select({ name, label: fields[name], chosen }, [["", all], ...names]);
}

/** A field for a role or a use case: a choice where the brand names any, else a text with those that are known. */
export function answerField(
  { words, answers, person: { answerHint } }: ConsoleTexts,
  name: "role" | "building",
  { id = name, value, known = [], none = "" }: {
    id?: string;
    value: string;
    /** Further ones that people have. */
    known?: string[];
    none?: string;
  },
): Html {
  const label = words.fields[name], names = answers[name];
  const slugs = [...new Set([...Object.keys(names), ...known, ...value ? [value] : []])].sort();
  if (Object.keys(names).length > 0) {
    const options = slugs.map((slug) => [slug, ownMember(names, slug) ?? slug] as const);
    return select({ name: id, label, chosen: value }, [["", none], ...options]);
  }
  const input = markup` value="${value}" list="${id}-known" maxlength="40" pattern="[a-z0-9_\\-]*"
 title="${answerHint}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  return markup`${field(id, label, input)}
<datalist id="${id}-known">${slugs.map((slug) => markup`<option value="${slug}">`)}</datalist>`;
}

/** The ways to other pages of a list: labels, with the paths that there are. */
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

/** The day after a UTC day; text that is no day stays as it is. */
export function dayAfter(day: string): string {
  return isDay(day) ? addDays(day, 1) : day;
}

/** The end of a UTC day as a date-time; text that is no day stays as it is, so that it is refused. */
export const untilEndOfDay = (day: string) =>
  dayAfter(day) === day ? day : `${dayAfter(day)}T00:00:00.000Z`;

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

export const isConfirmed = (form: Fields): boolean => form.get("confirmed") === "yes";
