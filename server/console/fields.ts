/**
 * Fields of forms, and the values that they can have.
 *
 * @module
 */
import { type Html, markup } from "../content/mod.ts";
import type { Lang, Source } from "../waitlist/mod.ts";

/** The fields of a form with their values, by name. */
export type Fields = ReadonlyMap<string, string>;

/** The languages of people, and the forms that they can have used. */
export const LANGS = ["en", "de"] as const satisfies Lang[], SOURCES: Source[] = ["hero", "cta"];

/** Gives the value where it is one of a list. */
export function knownValue<Value extends string>(
  values: readonly Value[],
  given: string | null | undefined,
): Value | undefined {
  return values.find((value) => value === given);
}

/** Gives the values with their names. */
export function named<Value extends string>(
  values: readonly Value[],
  names: Record<Value, string>,
): [Value, string][] {
  return values.map((value) => [value, names[value]]);
}

/** A field with some values to choose from. */
export function select(
  name: string,
  label: string,
  values: readonly (readonly [value: string, name: string])[],
  chosen: string | undefined,
): Html {
  const options = values.map(([value, text]) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${options}
</select>
</div>`;
}

/** A field of a form that nobody sees. */
export function hidden(name: string, value: string): Html {
  return markup`<input type="hidden" name="${name}" value="${value}">`;
}
