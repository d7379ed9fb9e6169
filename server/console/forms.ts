/**
 * Forms of the console: their fields, their values, and the page that asks for confirmation. `person_fields.ts` has the
 * fields about people. @module
 */
import { type Html, markup } from "../content/mod.ts";

/** The fields of a form that a browser has sent, by name. */
export type SentFields = ReadonlyMap<string, string>;

/** Values for hidden fields or for a query. `true` is sent as `yes`; `false` and empty values are not sent. */
export type FieldValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Turns {@linkcode FieldValues} into fields, as a browser sends them. */
export function toFields(values: FieldValues): SentFields {
  const sentValues = Object.entries(values)
    .filter(([, value]) =>
      value !== undefined && value !== null && value !== false && value !== ""
    );
  return new Map(sentValues.map(([name, value]) => [name, value === true ? "yes" : String(value)]));
}

/** Adds values to a path as its query. */
export function pathWith(path: string, values: FieldValues): string {
  const query = new URLSearchParams([...toFields(values)]);
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * Returns the text if it is one of the known values, and otherwise `undefined`. Every field or query parameter with a
 * fixed set of values is to be read with this function.
 */
export function knownValue<Value extends string>(
  values: readonly Value[],
  text: string | null | undefined,
): Value | undefined {
  return values.find((value) => value === text);
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

/** Returns the name of the checkbox of a row that an operator can choose: `chosen_0`, `chosen_1` and so on. */
export const chosenField = (index: number): string => `chosen_${index}`;

/** Matches the names that {@linkcode chosenField} returns. */
const CHOSEN_FIELD = /^chosen_\d+$/;

/** Returns hidden fields with the addresses of chosen people. */
export function chosenPeopleFields(emails: string[]): FieldValues {
  return Object.fromEntries(emails.map((email, index) => [chosenField(index), email]));
}

/** Returns the values of the rows that are chosen in a form: the addresses of people, or the ids of items. */
export function chosenValuesIn(form: SentFields): string[] {
  return [...form].filter(([name]) => CHOSEN_FIELD.test(name)).map(([, value]) => value);
}

/** The button that sends a form. */
export function button(label: string, kind?: "primary" | "danger" | "link"): Html {
  return markup`<button${kind && markup` class="${kind}"`} type="submit">${label}</button>`;
}

/**
 * A form with one button, below a sentence that says what the button does.
 *
 * @param form the path to which the form is sent, and its hidden fields
 * @param content.inputs the visible fields of the form
 */
export function hintedForm(
  form: { action: string; fields: FieldValues },
  { hint, inputs, submit }: { hint: string; inputs?: Html | undefined; submit: string },
): Html {
  return markup`<p class="soft">${hint}</p>
${postForm(form, markup`${inputs}\n${button(submit)}`)}`;
}

/** A field with its label. */
export function field(name: string, { label, attributes, hint }: {
  label: string;
  /** The attributes of the input, such as its type and value. */
  attributes: Html;
  hint?: string;
}): Html {
  return markup`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}"${attributes}${describedBy(name, hint)}>
${hintOf(name, hint)}
</div>`;
}

/** The names of all time zones, which a browser suggests in a field with the attribute `list="zone-known"`. */
export function zoneSuggestions(): Html {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => markup`<option value="${zone}">`);
  return markup`<datalist id="zone-known"><option value="UTC">${zones}</datalist>`;
}

/**
 * A checkbox. A form sends the value `yes` for a ticked checkbox, and no value for an unticked checkbox.
 */
export function checkbox(
  name: string,
  { label, checked, hint }: {
    label: string;
    checked: boolean;
    hint?: Html;
  },
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

/**
 * Makes the page that asks for confirmation before an action. The form of this page sends `fields` to the path `action`
 * again, and {@linkcode isConfirmed} returns `true` for this form.
 *
 * @param cancel the way back, which is a link or a form
 * @param cannotUndo the sentence that the action cannot be undone. With this sentence, the button has the colour of
 * danger. Absent for an action that can be undone.
 */
export function confirmView({ title, body, action, fields, inputs, submit, cancel, cannotUndo }: {
  title: string;
  body: Html;
  action: string;
  fields: FieldValues;
  /** The visible fields of the form. */
  inputs?: Html | undefined;
  submit: string;
  cancel: Html;
  cannotUndo?: string | undefined;
}): { title: string; body: Html } {
  return {
    title,
    body: markup`${body}
${cannotUndo && markup`<p><strong>${cannotUndo}</strong></p>`}
<div class="actions">
${
      postForm(
        { action, fields: { ...fields, confirmed: true } },
        markup`${inputs}${button(submit, cannotUndo ? "danger" : "primary")}`,
      )
    }
${cancel}
</div>`,
  };
}

/** Whether the form comes from the page of {@linkcode confirmView}. */
export const isConfirmed = (form: SentFields): boolean => form.get("confirmed") === "yes";
