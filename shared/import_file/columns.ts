/**
 * Finds out which column of an import file holds which field, by the column's name or by the settings of the import.
 *
 * @module
 */
import { trimInvisible } from "../invisible.ts";
import type { LineFault } from "../lines.ts";
import { FIELDS_BY_PLAIN_NAME, plainName, REFUSED_ROWS_COLUMNS } from "./names.ts";
import { proposeFields, REQUIRED_FIELDS } from "./proposal.ts";

/** The settings of an import about the columns of the file. */
export interface ColumnRules {
  /**
   * The field of a column, by the name of the column. A column with an empty text as its field is left out.
   * {@linkcode namesInMap} says which column a name means.
   */
  map: ReadonlyMap<string, string>;
  /** The fields that a column can hold only by an entry in `map`, never by the column's own name. */
  onlyInMap?: readonly string[];
  /** Whether to leave out a column whose name is neither the name of a field nor in `map`. */
  ignoreUnknown: boolean;
}

/** The use of a column: it holds a field, it is left out, or it has no name and must be empty. */
type ColumnUse = { field: string } | "left_out" | "nameless";

/** The names and the uses of the columns, in the order of the file. */
export interface ReadHeader {
  names: string[];
  columns: ColumnUse[];
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
  /**
   * No name is known, and no name looks like that of a field. The first line probably has the data of a person, so no
   * message may quote this line.
   */
  | { fault: "no_names" }
  /** The settings name the column `absent`, which the file does not have. */
  | { fault: "absent_column"; absent: string }
  | { fault: "unknown_columns" }
  /** No column holds the field `missing`, which every row needs. */
  | { fault: "missing_field"; missing: RequiredField }
  /** Each of the columns in `several` holds the same field. */
  | { fault: "several_columns"; field: string; several: string[] };

/** A field without which no row can be imported. */
export type RequiredField = keyof typeof REQUIRED_FIELDS;

/** The names of these fields. */
export const REQUIRED = Object.keys(REQUIRED_FIELDS) as RequiredField[];

/** The use of a column by its name alone: `unknown` if neither the fields nor the settings have the name. */
type UseByName = ColumnUse | "unknown";

/** Finds the use of each column by the names in the first line. */
export function readColumns(names: string[], rules: ColumnRules): ReadHeader | RefusedHeader {
  const uses = findUses(names, rules);
  const unknown = names.filter((_, index) => uses[index] === "unknown");
  const fields = fieldsOf(uses);
  const refused = findFault({ names, uses, unknown, fields }, rules);
  if (refused) return { refused, names, unknown, fields };
  return { names, columns: uses.map((use) => use === "unknown" ? "left_out" : use) };
}

/** Finds the first fault of a header; `undefined` for a header that can be used. */
function findFault(
  { names, uses, unknown, fields }: {
    names: string[];
    uses: UseByName[];
    unknown: string[];
    fields: string[];
  },
  { map, ignoreUnknown }: ColumnRules,
): HeaderFault | undefined {
  const isAnyKnown = uses.some((use) => use !== "unknown" && use !== "nameless");
  if (!isAnyKnown && proposeFields(unknown, fields).length === 0) return { fault: "no_names" };

  const usedMapNames = namesInMap(names, map);
  const absent = [...map.keys()].find((name) => !usedMapNames.includes(name));
  if (absent !== undefined) return { fault: "absent_column", absent };

  if (!ignoreUnknown && unknown.length > 0) return { fault: "unknown_columns" };

  const missing = REQUIRED.find((field) => !fields.includes(field));
  if (missing !== undefined) return { fault: "missing_field", missing };

  const duplicate = fields.find((field, index) => fields.indexOf(field) !== index);
  if (duplicate === undefined) return undefined;
  const several = names.filter((_, index) => fieldOf(uses[index]) === duplicate);
  return { fault: "several_columns", field: duplicate, several };
}

/**
 * Finds, for each column, the name in `map` that means the column; `undefined` if no name means the column. A name
 * means the column with exactly this name. If the file has no such column, the name means each column whose name has
 * the same letters and digits, unless `map` has the exact name of that column as well.
 */
export function namesInMap(names: string[], map: ColumnRules["map"]): (string | undefined)[] {
  const columnNames = names.map(trimInvisible);
  const inexactNames = [...map.keys()].filter((name) => !columnNames.includes(name));
  const inexactByPlainName = new Map(inexactNames.map((name) => [plainName(name), name]));
  return columnNames.map((name) => map.has(name) ? name : inexactByPlainName.get(plainName(name)));
}

/** The names of the columns that are left out by their names alone. */
const PLAIN_LEFT_OUT_NAMES = REFUSED_ROWS_COLUMNS.map(plainName);

/** Finds the use of each column by its name. The names in `map` come first, and then the names of fields. */
function findUses(
  names: string[],
  { map, onlyInMap = [] }: ColumnRules,
): UseByName[] {
  const mapNames = namesInMap(names, map);
  const comesFromService = isOwnExport(names, mapNames);
  return names.map((name, index) => {
    const plain = plainName(name);
    if (plain === "") return "nameless";
    const mapName = mapNames[index];
    if (mapName !== undefined) {
      const field = map.get(mapName)!;
      return field === "" ? "left_out" : { field };
    }
    if (PLAIN_LEFT_OUT_NAMES.includes(plain)) return "left_out";
    const isForeignNote = plain === "note" && !comesFromService;
    const field = isForeignNote ? undefined : FIELDS_BY_PLAIN_NAME.get(plain);
    return field === undefined || onlyInMap.includes(field) ? "unknown" : { field };
  });
}

/** Returns the field that a column holds; `undefined` for a column that holds no field. */
export function fieldOf(use: UseByName | undefined): string | undefined {
  return typeof use === "object" ? use.field : undefined;
}

/** Returns the fields that columns hold. */
export function fieldsOf(uses: UseByName[]): string[] {
  return uses.flatMap((use) => fieldOf(use) ?? []);
}

/**
 * Whether a header comes from an export of this service. Only in these exports, a column `note` is the field `note`
 * without an entry in `map`. In exports of other tools, such as Ghost, the column has notes of the staff, which the
 * person would be able to read.
 */
function isOwnExport(names: string[], mapNames: (string | undefined)[]): boolean {
  return names.some((name, index) =>
    ["createdAt", "consentedAt"].includes(trimInvisible(name)) && mapNames[index] === undefined
  );
}

/** Returns the names of the columns that are left out. */
export function leftOutNames({ names, columns }: ReadHeader): string[] {
  return names.filter((_, index) => columns[index] === "left_out");
}
