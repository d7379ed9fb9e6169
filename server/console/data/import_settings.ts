/**
 * The settings of an import: the time zone of the file, and the columns that the operator has chosen for fields. This
 * module reads the settings from a form, writes the settings into a form, and proposes columns. `import_file.ts` reads
 * the file of an import by its settings. @module
 */
import { CAMPAIGN_FIELDS } from "../../../shared/campaigns.ts";
import {
  type RefusedHeader,
  REQUIRED,
  type RequiredField,
} from "../../../shared/import_file/columns.ts";
import { FIELDS_BY_PLAIN_NAME, plainName } from "../../../shared/import_file/names.ts";
import { columnsThatFit, proposeFields } from "../../../shared/import_file/proposal.ts";
import { trimInvisible } from "../../../shared/invisible.ts";
import { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import type { FieldValues, SentFields } from "../forms.ts";
import { zoneOfText } from "../zones.ts";

/**
 * The fields for which the operator can choose a column. Any other field is read from the column whose name means the
 * field.
 */
export const CHOOSABLE_FIELDS = [
  "email",
  "consentedAt",
  "createdAt",
  "lang",
  "role",
  "building",
  ...CAMPAIGN_FIELDS,
  "note",
] as const;

/** The settings of an import. */
export interface ImportSettings {
  /**
   * The IANA name of the zone for times without a zone and for days without a time. If it is empty, rows with such
   * times cannot be read.
   */
  zone: string;
  /**
   * The name of the column for each field; empty for a field that no column holds. Absent if the operator has not
   * chosen columns; each column then holds the field that its name means.
   */
  columnsByField?: ReadonlyMap<string, string>;
}

/** Returns the name of the menu with which the operator chooses the column of a field. */
export const columnMenu = (field: string): string => `column_${field}`;

/** Reads the settings from a form. The city of a zone counts as the zone; any other text stays as it is. */
export function settingsIn(form: SentFields): ImportSettings {
  const zone = zoneOfText(form.get("zone") ?? "");
  if (!CHOOSABLE_FIELDS.some((field) => form.has(columnMenu(field)))) return { zone };
  const choices = CHOOSABLE_FIELDS.map((field) =>
    [field, form.get(columnMenu(field)) ?? ""] as const
  );
  return { zone, columnsByField: new Map(choices) };
}

/** Returns the settings as hidden fields of a form. */
export function fieldsOfSettings(
  { zone, columnsByField = new Map() }: ImportSettings,
): FieldValues {
  const choices = Array.from(columnsByField, ([field, column]) => [columnMenu(field), column]);
  return { zone, ...Object.fromEntries(choices) };
}

/** Returns a column that is chosen for several fields; `undefined` if there is no such column. */
export function columnChosenTwice(
  { columnsByField = new Map() }: ImportSettings,
): string | undefined {
  const names = [...columnsByField.values()].filter((name) => name !== "").map(trimInvisible);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** Returns the field that each chosen column holds, by the name of the column. */
export function fieldsByColumn(columnsByField: ReadonlyMap<string, string>): Map<string, string> {
  const choices = [...columnsByField].filter(([, column]) => column !== "");
  return new Map(choices.map(([field, column]) => [trimInvisible(column), field]));
}

/** The names of the columns of a file, and what is known about them. */
export type KnownColumns = Pick<RefusedHeader, "names" | "unknown" | "fields">;

/**
 * Guesses, by the names of the columns, which column holds which field. Gives an answer of a person (`SLUG_ANSWERS`) no
 * column of another name, because such columns of other tools mostly have free text, and their rows would be refused.
 *
 * @returns a column for each field, empty for none; `undefined` if nothing is to guess, or if the names of the columns
 * do not show where every required field is
 */
export function guessColumns(columns: KnownColumns): Map<string, string> | undefined {
  const { fields } = columns;
  const proposal = proposeColumns(columns, { zone: "" });
  const isOwnName = (column: string) => FIELDS_BY_PLAIN_NAME.has(plainName(column));
  const guess = new Map(CHOOSABLE_FIELDS.map((field) => {
    const column = proposal.get(field) ?? "";
    const isFreeText = SLUG_ANSWERS.some((answer) => answer === field) && !isOwnName(column);
    return [field, isFreeText ? "" : column];
  }));
  const isSure = [...guess.values()].every((column) => column === "" || isOwnName(column)) &&
    new Set(fields).size === fields.length;
  return isSure || unproposedField(guess) !== undefined ? undefined : guess;
}

/**
 * Chooses a column for each field after a header was refused. A choice of the operator stays, also the choice of no
 * column. For every other field, proposes a column whose name fits the field.
 */
export function proposeColumns(
  { names, unknown, fields }: KnownColumns,
  { columnsByField = new Map() }: ImportSettings,
): Map<string, string> {
  const columnsWithFieldName = names.flatMap((name) => {
    const field = FIELDS_BY_PLAIN_NAME.get(plainName(name));
    return field !== undefined && fields.includes(field) ? [[field, name] as const] : [];
  });
  const similarColumns = proposeFields(unknown, fields)
    .map(({ field, column }) => [field, column] as const);
  // A later entry of the map replaces an earlier entry of the same field.
  return new Map([...columnsWithFieldName, ...similarColumns, ...columnsByField]);
}

/** Returns a field that every row needs and for which no column is proposed; `undefined` if there is none. */
export function unproposedField(proposal: ReadonlyMap<string, string>): RequiredField | undefined {
  return REQUIRED.find((field) => !proposal.get(field));
}

/**
 * Finds the fields whose proposed column is uncertain, because the names of other columns fit as well.
 * @returns the columns that fit, by field
 */
export function uncertainColumns(
  proposal: ReadonlyMap<string, string>,
  names: string[],
): Map<string, string[]> {
  const uncertain = Array.from(proposal, ([field, column]) => {
    const others = [...proposal].flatMap(([name, other]) => name === field ? [] : [other]);
    const fitting = columnsThatFit(field, names).filter((name) => !others.includes(name));
    return [field, column === "" ? [] : fitting] as const;
  });
  return new Map(uncertain.filter(([, columns]) => columns.length > 1));
}
