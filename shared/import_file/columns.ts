/**
 * Finds out which column of an import file holds which field, by the column's name or by the settings of the import.
 *
 * @module
 */
import { trimInvisible } from "../invisible.ts";
import type { LineFault } from "../lines.ts";
import { NAMED_FIELDS, plainName } from "./names.ts";
import { proposeFields, REQUIRED_FIELDS } from "./proposal.ts";

/** The settings of an import about the columns of the file. */
export interface ColumnRules {
  /**
   * A field by the name of its column, in the form of {@linkcode plainName}. An empty text in place of the field leaves
   * the column out.
   */
  map: ReadonlyMap<string, string>;
  /** Whether to leave out a column whose name is neither the name of a field nor in `map`. */
  ignoreUnknown: boolean;
}

/** The use of a column: it holds a field, it is left out, or it has no name and must be empty. */
export type Column = { field: string } | "left_out" | "nameless";

/** The names and the uses of the columns. */
export interface ReadHeader {
  names: string[];
  columns: Column[];
}

/** A header that cannot be used. */
export interface RefusedHeader {
  refused: HeaderFault;
  /** The names of all columns; empty if the first line could not be read. */
  names: string[];
  /** The names of the columns that are not known. `proposal.ts` proposes fields for them. */
  unknown: string[];
  /** The fields that columns hold. */
  fields: string[];
}

/** Why the first line of a file does not say which column holds which field. */
export type HeaderFault =
  | { fault: "empty" | LineFault }
  /** No name is known. The first line probably has the data of a person, so no message may quote it. */
  | { fault: "no_names" }
  /** The settings name a column that the file does not have. */
  | { fault: "absent_column"; absent: string }
  | { fault: "unknown_columns" }
  | { fault: "missing_field"; missing: RequiredField }
  | { fault: "several_columns"; field: string; several: string[] };

/** A field without which no row can be imported. */
export type RequiredField = keyof typeof REQUIRED_FIELDS;

const REQUIRED = Object.keys(REQUIRED_FIELDS) as RequiredField[];

/** Finds the use of each column by the names in the first line. */
export function readColumns(names: string[], rules: ColumnRules): ReadHeader | RefusedHeader {
  const found = findColumns(names, rules.map);
  const unknown = names.filter((_, index) => found[index] === "unknown");
  const fields = fieldsOf(found);
  const refused = findFault({ names, found, unknown, fields }, rules);
  if (refused) return { refused, names, unknown, fields };
  return { names, columns: found.map((column) => column === "unknown" ? "left_out" : column) };
}

function findFault(
  { names, found, unknown, fields }: {
    names: string[];
    found: (Column | "unknown")[];
    unknown: string[];
    fields: string[];
  },
  { map, ignoreUnknown }: ColumnRules,
): HeaderFault | undefined {
  const isAnyKnown = found.some((column) => column !== "unknown" && column !== "nameless");
  if (!isAnyKnown && proposeFields(unknown, fields).length === 0) return { fault: "no_names" };

  const plainNames = names.map(plainName);
  const absent = [...map.keys()].find((name) => !plainNames.includes(name));
  if (absent !== undefined) return { fault: "absent_column", absent };

  if (!ignoreUnknown && unknown.length > 0) return { fault: "unknown_columns" };

  const missing = REQUIRED.find((field) => !fields.includes(field));
  if (missing !== undefined) return { fault: "missing_field", missing };

  const field = fields.find((field, index) => fields.indexOf(field) !== index);
  if (field === undefined) return undefined;
  const several = names.filter((_, index) => fieldOf(found[index]) === field);
  return { fault: "several_columns", field, several };
}

/** Finds the use of each column by its name. The names in `map` come first, and then the names of fields. */
function findColumns(names: string[], map: ColumnRules["map"]): (Column | "unknown")[] {
  const isOwn = isOwnExport(names, map);
  return names.map((name) => {
    const plain = plainName(name);
    if (plain === "") return "nameless";
    const mapped = map.get(plain);
    if (mapped === "") return "left_out";
    const isForeignNote = plain === "note" && !isOwn;
    const field = mapped ?? (isForeignNote ? undefined : NAMED_FIELDS.get(plain));
    return field === undefined ? "unknown" : { field };
  });
}

function fieldOf(column: Column | "unknown" | undefined): string | undefined {
  return typeof column === "object" ? column.field : undefined;
}

/** Returns the fields that columns hold. */
export function fieldsOf(columns: (Column | "unknown")[]): string[] {
  return columns.flatMap((column) => fieldOf(column) ?? []);
}

/**
 * Whether a header comes from an export of this service. Only in these exports, a column `note` is the field `note`
 * without an entry in `map`. In exports of other tools, such as Ghost, the column has notes of the staff, which the
 * person would be able to read.
 */
function isOwnExport(names: string[], map: ColumnRules["map"]): boolean {
  return ["createdAt", "consentedAt"].some((field) =>
    names.some((name) => trimInvisible(name) === field) && !map.has(plainName(field))
  );
}

/** Returns the names of the columns that are left out. */
export function leftOutNames({ names, columns }: ReadHeader): string[] {
  return names.filter((_, index) => columns[index] === "left_out");
}
