/**
 * Finds out which column of an import file holds which field, by the column's name or by `--map`. `proposal.ts` proposes
 * a `--map` for the columns of other tools.
 *
 * @module
 */
import { quotable } from "../../../../shared/api_failure.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";
import { INVITED_FIELDS } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";
import { proposeMap, REQUIRED_FIELDS } from "./proposal.ts";

/** The flags about columns. */
export interface ColumnRules {
  /**
   * The pairs of `--map`: a field by the name of its column, in the form of {@linkcode plainName}. An empty text in
   * place of the field leaves the column out.
   */
  map: ReadonlyMap<string, string>;
  /** Whether to leave out a column whose name is neither the name of a field nor in `map`. */
  ignoreUnknown: boolean;
}

/** The use of a column: it holds a field, it is left out, or it has no name and must be empty. */
export type Column = { field: string } | "left_out" | "nameless";

const REQUIRED = Object.keys(REQUIRED_FIELDS);

const FIELDS = INVITED_FIELDS.join(", ");

/**
 * Returns the name of a column in lower case, and without invisible characters around it. In this form, names are
 * compared.
 */
export const plainName = (name: string): string => trimInvisible(name).toLowerCase();

/** The fields by their names in the form of {@linkcode plainName}. */
const NAMED_FIELDS = new Map(INVITED_FIELDS.map((field) => [plainName(field), field]));

/**
 * Matches one pair of `--map`. The pattern lists the fields, because the name of a column may itself have a comma or an
 * equals sign.
 */
const PAIR = new RegExp(`\\s*(.+?)\\s*=\\s*(|${INVITED_FIELDS.join("|")})\\s*(?:,|$)`, "iuy");

/** Reads `--map`, such as `"Email Address=email,OPTIN_TIME=consentedAt"`. The flag may be given several times. */
export function parseMap(texts: string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const text of texts) {
    for (let at = 0; at < text.length || text === "";) {
      PAIR.lastIndex = at;
      const [pair = "", column = "", field = ""] = PAIR.exec(text) ?? [];
      const name = plainName(column);
      if (name === "") {
        throw new UsageError(
          `--map has '${quotable(text.slice(at), 80)}'; give pairs such as ` +
            `--map "Email Address=email,OPTIN_TIME=consentedAt", with a field of ${FIELDS}`,
        );
      }
      if (map.has(name)) {
        throw new UsageError(`--map names the column '${quotable(column, 40)}' twice; remove one`);
      }
      map.set(name, NAMED_FIELDS.get(plainName(field)) ?? "");
      at += pair.length;
    }
  }
  return map;
}

/**
 * Returns the use of each column, by the names in the first line.
 *
 * @throws {UsageError} if a name is not known, if a required field has no column, or if a field has several columns
 */
export function readColumns(names: string[], rules: ColumnRules): Column[] {
  const found = findColumns(names, rules.map);
  const unknown = names.filter((_, index) => found[index] === "unknown");
  const fields = fieldsOf(found);
  const proposal = proposeMap(unknown, fields);
  const isAnyKnown = found.some((column) => column !== "unknown" && column !== "nameless");
  // If no name is known, the first line probably has the data of a person, so the message does not quote this line.
  if (!isAnyKnown && !proposal) {
    const example = REQUIRED.join(",");
    throw new UsageError(
      `The first line must name the columns; put a header above the rows, such as ${example}; ` +
        `the possible names are ${FIELDS}; use --map for columns with other names`,
    );
  }
  const fault = absentColumn(names, rules.map) ??
    (rules.ignoreUnknown ? undefined : unknownColumns(unknown)) ??
    missingField(fields);
  if (fault) throw new UsageError(`${fault.message}; ${proposal ?? fault.nextStep}`);

  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) {
    const columns = quoteNames(names.filter((_, index) => fieldOf(found[index]) === twice));
    throw new UsageError(
      `Several columns hold ${twice}: ${columns}; remove all but one, or leave out a column with --map "NAME="`,
    );
  }
  return found.map((column) => column === "unknown" ? "left_out" : column);
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
function fieldsOf(columns: (Column | "unknown")[]): string[] {
  return columns.flatMap((column) => fieldOf(column) ?? []);
}

/** A fault of the header. The message ends with a proposed `--map` or, if none is proposed, with the next step. */
interface HeaderFault {
  message: string;
  nextStep: string;
}

/** Returns a fault if `--map` names a column that the file does not have. */
function absentColumn(names: string[], map: ColumnRules["map"]): HeaderFault | undefined {
  const plain = names.map(plainName);
  const absent = [...map.keys()].find((name) => !plain.includes(name));
  if (absent === undefined) return undefined;
  const present = quoteNames(names.filter((_, index) => plain[index] !== ""));
  return {
    message: `--map names the column ${quoteNames([absent])}, which the file does not have`,
    nextStep: `the columns of the file are ${present}`,
  };
}

/** Returns a fault if the file has columns with unknown names. */
function unknownColumns(unknown: string[]): HeaderFault | undefined {
  if (unknown.length === 0) return undefined;
  const [subject, it] = unknown.length === 1
    ? [`The column ${quoteNames(unknown)} is`, "it"]
    : [`The columns ${quoteNames(unknown)} are`, "them"];
  return {
    message: `${subject} not known`,
    nextStep:
      `remove ${it}, leave ${it} out with --ignore-unknown, or name ${it} with --map as one of ${FIELDS}`,
  };
}

/** Returns a fault if a required field has no column. */
function missingField(fields: string[]): HeaderFault | undefined {
  const missing = REQUIRED.find((field) => !fields.includes(field));
  if (missing === undefined) return undefined;
  return {
    message: `There is no column ${missing}`,
    nextStep: "name it in the first line, or say with --map which column holds it",
  };
}

/**
 * Whether a header comes from an export of this service. Only in these exports, a column `note` is the field `note`
 * without `--map`. In exports of other tools, such as Ghost, the column has notes of the staff, which the person would
 * be able to read.
 */
function isOwnExport(names: string[], map: ColumnRules["map"]): boolean {
  return ["createdAt", "consentedAt"].some((field) =>
    names.some((name) => trimInvisible(name) === field) && !map.has(plainName(field))
  );
}

/**
 * Returns a sentence that names the columns that are left out; `undefined` if there are none.
 *
 * @param options.proposes whether to propose a `--map` for these columns
 */
export function describeLeftOut(
  names: string[],
  columns: Column[],
  { map, proposes }: Pick<ColumnRules, "map"> & { proposes: boolean },
): string | undefined {
  const leftOut = names.filter((_, index) => columns[index] === "left_out");
  if (leftOut.length === 0) return undefined;
  const undecided = leftOut.filter((name) => !map.has(plainName(name)));
  const advice = proposes ? proposeMap(undecided, fieldsOf(columns)) : undefined;
  return `Left out: ${quoteNames(leftOut)}${advice ? `; ${advice}` : ""}.`;
}

/** How many names a message quotes at most. The message counts the others. */
const MAX_QUOTED = 8;

/**
 * Quotes the names of columns for a message. It hides a name with `@`, because that name is an address if the file has no
 * header.
 */
export function quoteNames(names: string[]): string {
  const quoted = names.slice(0, MAX_QUOTED).map((name) =>
    name.includes("@") ? "(not shown)" : `'${quotable(trimInvisible(name), 40)}'`
  );
  const more = names.length - quoted.length;
  const all = more > 0 ? [...quoted, `${more} more`] : quoted;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
