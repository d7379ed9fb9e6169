/**
 * The names of the fields in the forms for a wave and for a schedule of waves, and the wave that these fields describe.
 * `form.ts` and `form_parts.ts` have the HTML of the form for a wave. @module
 */
import { CAMPAIGN_FIELDS, campaignValue } from "../../../shared/campaigns.ts";
import { dayEndingAt, endOfDay, momentId } from "../../../shared/moments.ts";
import type { WaveReport, WaveRequest } from "../../../shared/operator_schemas.ts";
import { FILTERS, type Lang } from "../../waitlist/mod.ts";
import { chosenValuesIn, type FieldValues, type SentFields } from "../forms.ts";

/** In a link, this text stands for the invitation code of each person. */
export const CODE_PLACEHOLDER = "{code}";

/** The field with the link of the invitation. */
export const LINK_FIELD = "link";

/** The checkbox to send letters. */
export const LETTERS_FIELD = "letters";

/** The checkbox by which the operator confirms that letters go out without a code. */
export const WITHOUT_CODE_FIELD = "without_code";

/** The field with the path of the page on which the operator chose the people. */
export const BACK_FIELD = "back";

/**
 * The field that asks for the form, filled in with the operator's choices. Without this field, the console shows the
 * plan.
 */
export const SHOW_FORM_FIELD = "change";

/** The field with the id that the console has made for a wave to which the operator has given no id. */
export const NEW_WAVE_FIELD = "new_wave";

/**
 * A wave as the form describes it. The operation `startWave` alone checks the values. The member `wave` is the id of
 * the wave, which the form calls its name.
 */
export type RequestedWave = WaveRequest & { wave: string; letters: boolean };

/** Returns the text of a field without the spaces around it; empty if the form has no such field. */
export const textOfField = (form: SentFields, name: string): string => form.get(name)?.trim() ?? "";

/** Returns the fields of a form, except those with the given names. */
export const fieldsWithout = (form: SentFields, names: readonly string[]): FieldValues =>
  Object.fromEntries([...form].filter(([name]) => !names.includes(name)));

/**
 * Reads a wave from a form. A wave of chosen people gets no filters, because the operator has chosen each of the
 * people.
 */
export function waveOfForm(form: SentFields, now: number): RequestedWave {
  const emails = chosenEmails(form);
  const expires = textOfField(form, "expires");
  return {
    wave: textOfField(form, "wave") || textOfField(form, NEW_WAVE_FIELD) || momentId(now),
    link: textOfField(form, LINK_FIELD),
    ...emails.length > 0
      ? { emails }
      : { next: Number(textOfField(form, "next")), ...filterOfForm(form) },
    ...expires && { expires: endOfDay(expires) },
    letters: form.has(LETTERS_FIELD),
  };
}

/**
 * Returns the fields of a form for a further wave of the next people, with the choices of an earlier wave. The further
 * wave gets a name of its own, and no last day if that of the earlier wave is over.
 */
export function fieldsOfWave(
  { next, link, letters, expires, ...others }: WaveReport,
  now: number,
): FieldValues {
  const isOver = expires === undefined || Date.parse(expires) <= now;
  return {
    next,
    ...Object.fromEntries(FILTERS.map((name) => [name, others[name]])),
    [LINK_FIELD]: link,
    expires: isOver ? undefined : dayEndingAt(expires) ?? expires.slice(0, 10),
    [LETTERS_FIELD]: letters,
  };
}

/**
 * Reads the filters that the people of a wave must fit. The values of a campaign are normalised as a sign-up normalises
 * them.
 */
export function filterOfForm(form: SentFields): Pick<WaveRequest, typeof FILTERS[number]> {
  const text = (name: string) => textOfField(form, name);
  return {
    // An unknown value is passed on, so that the operation refuses it. If the value were left out, the wave would
    // invite people of every language or source.
    ...text("lang") && { lang: text("lang") as Lang },
    ...text("source") && { source: text("source") as WaveRequest["source"] & string },
    ...text("role") && { role: text("role") },
    ...text("building") && { building: text("building") },
    ...Object.fromEntries(
      CAMPAIGN_FIELDS.flatMap((name) => text(name) ? [[name, campaignValue(text(name))]] : []),
    ),
    ...text("referrals") && { referrals: Number(text("referrals")) },
  };
}

/** Returns the addresses of the chosen people, each once; none for a wave of the next people. */
export function chosenEmails(form: SentFields): string[] {
  return [...new Set(chosenValuesIn(form).map((email) => email.toLowerCase()))];
}

/** Whether a number of people from a form is a whole number above 0. A text that is no number has become `NaN`. */
export const isPeopleCount = (count: number): boolean => Number.isSafeInteger(count) && count > 0;

/** Whether a link has no place for the invitation code. */
export const lacksCode = (link: string): boolean => !link.includes(CODE_PLACEHOLDER);

/** Whether the operator must still confirm that letters go out without a code. */
export function mustConfirmNoCode(form: SentFields): boolean {
  return form.has(LETTERS_FIELD) && lacksCode(textOfField(form, LINK_FIELD)) &&
    !form.has(WITHOUT_CODE_FIELD);
}
