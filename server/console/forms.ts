/** Forms of the console: their fields, their values, and the page that asks before an action. @module */
import { addDays, isDay } from "../../shared/moments.ts";
import { ownMember } from "../../shared/own_member.ts";
import { type ConsoleTexts, type Html, markup, select } from "../content/mod.ts";

/** The fields of a form that a browser has sent, by name. */
export type Fields = ReadonlyMap<string, string>;

/** Values for hidden fields or for a query. `true` is sent as `yes`; `false` and empty values are not sent. */
export type FieldValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Turns {@linkcode FieldValues} into the fields of a form. */
export function toFields(values: FieldValues): Fields {
  const given = Object.entries(values)
    .filter(([, value]) =>
      value !== undefined && value !== null && value !== false && value !== ""
    );
  return new Map(given.map(([name, value]) => [name, value === true ? "yes" : String(value)]));
}

/** Adds values to a path as its query. */
export function pathWith(path: string, values: FieldValues): string {
  const query = new URLSearchParams([...toFields(values)]);
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * Returns the given text if it is one of the known values, and otherwise `undefined`. Use it for each choice that a
 * form or a query makes.
 */
export function knownValue<Value extends string>(
  values: readonly Value[],
  given: string | null | undefined,
): Value | undefined {
  return values.find((value) => value === given);
}

/** A form that is sent with POST. @param fields its hidden fields @param content its visible fields and buttons */
export function postForm(
  { action, fields = {}, attributes }: { action: string; fields?: FieldValues; attributes?: Html },
  content: Html,
): Html {
  const hidden = [...toFields(fields)].map(([name, value]) =>
    markup`<input type="hidden" name="${name}" value="${value}">`
  );
  return markup`<form method="post" action="${action}"${attributes}>
${hidden}
${content}
</form>`;
}

/** Returns the hidden fields that name chosen people. */
export function chosenFields(emails: string[]): FieldValues {
  return Object.fromEntries(emails.map((email, at) => [`chosen_${at}`, email]));
}

/** Returns the addresses of the people who are chosen in a form. */
export function chosenIn(form: Fields): string[] {
  return [...form].filter(([name]) => /^chosen_\d+$/.test(name)).map(([, email]) => email);
}

/** The button that sends a form. */
export function button(label: string, kind?: "primary" | "danger" | "link"): Html {
  return markup`<button${kind && markup` class="${kind}"`} type="submit">${label}</button>`;
}

/** A field with its label. @param attributes the attributes of the input, such as its type and value */
export function field(name: string, label: string, attributes: Html, hint?: string): Html {
  return markup`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}"${attributes}${describedBy(name, hint)}>
${hintOf(name, hint)}
</div>`;
}

/** A checkbox, which a form sends as `yes` and only if it is ticked. */
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

/** A field to choose a state, a language or a source, or all of them. */
export function filterField(
  { fields, all, states, langs, sources }: ConsoleTexts["words"],
  name: "state" | "lang" | "source",
  chosen?: string,
): Html {
  const names = Object.entries({ state: states, lang: langs, source: sources }[name]);
  return select({ name, label: fields[name], chosen }, [["", all], ...names]);
}

/** A field for a role or a use case: a choice if the brand offers answers, otherwise a text with suggestions. */
export function answerField(
  { words, answers, person: { answerHint } }: ConsoleTexts,
  name: "role" | "building",
  { id = name, value, known = [], none = "" }: {
    /** The `id` of the field in the HTML; `name` by default. */
    id?: string;
    value: string;
    /** The answers of other people, which the field suggests besides those of the brand. */
    known?: string[];
    /** The label of the choice for no answer. */
    none?: string;
  },
): Html {
  const label = words.fields[name];
  const names = answers[name];
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

/** Returns the day after a UTC day. Any other text is returned as it is, so that the operation refuses it. */
export function dayAfter(day: string): string {
  return isDay(day) ? addDays(day, 1) : day;
}

/**
 * Returns the end of a UTC day as a date-time. Any other text is returned as it is, so that the operation refuses it.
 */
export function endOfDay(day: string): string {
  return isDay(day) ? `${dayAfter(day)}T00:00:00.000Z` : day;
}

/**
 * Makes the page that asks before an action that cannot be undone. Its form sends `fields` to `action` once more, and
 * {@linkcode isConfirmed} is true for it.
 *
 * @param cancel the way back, which is a link or a form
 */
export function confirmView({ title, body, action, fields, submit, cancel }: {
  title: string;
  body: Html;
  action: string;
  fields: FieldValues;
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

/** Whether the form comes from the page of {@linkcode confirmView}. */
export const isConfirmed = (form: Fields): boolean => form.get("confirmed") === "yes";
