/** Says what is wrong with the header of an import file, and proposes a `--map` for the columns of other tools. @module */
import { quotable } from "../../../../shared/api_failure.ts";
import {
  fieldOf,
  fieldsOf,
  leftOutNames,
  namesInMap,
  type ReadHeader,
  type RefusedHeader,
} from "../../../../shared/import_file/columns.ts";
import { plainName } from "../../../../shared/import_file/names.ts";
import { proposeFields, REQUIRED_FIELDS } from "../../../../shared/import_file/proposal.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";
import { SLUG_ANSWERS } from "../../../../shared/person_schema.ts";
import { INVITED_FIELDS } from "../../../../shared/signup_formats.ts";

/** The fields that a column can hold, for messages. */
const FIELDS = INVITED_FIELDS.join(", ");

/** How many names a message quotes at most. The message counts the other names. */
const MAX_QUOTED_NAMES = 8;

/** How many characters of the name of a column are quoted at most. */
const MAX_NAME_LENGTH = 40;

/** Returns the message about a header that cannot be used, without a full stop. */
export function describeHeader({ refused, names, unknown, fields }: RefusedHeader): string {
  const proposal = proposeMap(unknown, fields);
  switch (refused.fault) {
    case "empty":
      return "The file is empty; its first line must name the columns";
    case "too_long":
      return "The first line of the file, which must name the columns, is longer than 64 KB; check " +
        "that the file is CSV";
    case "not_utf8":
      return "The first line of the file is not UTF-8 text; save the file as UTF-8";
    case "no_names":
      return "The first line must name the columns; put a header such as " +
        `${
          Object.keys(REQUIRED_FIELDS).join(",")
        } above the rows; the possible names are ${FIELDS}; ` +
        "use --map for columns with other names";
    case "absent_column": {
      const present = quoteNames(names.filter((name) => plainName(name) !== ""));
      const absent = quoteNames([refused.absent]);
      return `--map names the column ${absent}, which the file does not have; ` +
        (proposal ?? `give one of the file's columns: ${present}`);
    }
    case "unknown_columns": {
      const [subject, pronoun, holder] = unknown.length === 1
        ? [`The column ${quoteNames(unknown)} is`, "it", "it holds"]
        : [`The columns ${quoteNames(unknown)} are`, "them", "each of them holds"];
      const nextStep =
        `remove ${pronoun}, leave ${pronoun} out with --ignore-unknown, or say with --map which of these fields ` +
        `${holder}: ${FIELDS}`;
      return `${subject} not known; ${proposal ?? nextStep}`;
    }
    case "missing_field": {
      const nextStep =
        `put this name into the first line, or say with --map which column holds ${refused.missing}`;
      return `There is no column ${refused.missing}; ${proposal ?? nextStep}`;
    }
    case "several_columns":
      return `Several columns hold ${refused.field}: ${
        quoteNames(refused.several)
      }; keep only one ` +
        'of these columns, or leave out a column with --map "NAME="';
  }
}

/**
 * Returns a sentence that names the columns that are left out; `undefined` if there are none.
 *
 * @param options.map the pairs of `--map`
 * @param options.proposesMap whether to propose a `--map` for these columns
 */
export function describeLeftOut(
  header: ReadHeader,
  { map, proposesMap }: { map: ReadonlyMap<string, string>; proposesMap: boolean },
): string | undefined {
  const leftOut = leftOutNames(header);
  if (leftOut.length === 0) return undefined;
  const mapped = namesInMap(header.names, map);
  const undecided = header.names.filter((_, index) =>
    header.columns[index] === "left_out" && mapped[index] === undefined
  );
  const advice = proposesMap ? proposeMap(undecided, fieldsOf(header.columns)) : undefined;
  return `Columns left out: ${quoteNames(leftOut)}${advice ? `; ${advice}` : ""}.`;
}

/**
 * Says how to import rows whose value of a field is neither an offered answer nor a short name.
 *
 * @param field the field that the rows are refused for
 * @param options.header the header of CSV; `undefined` for NDJSON
 * @param options.map the pairs of `--map`
 * @returns a sentence; `undefined` if the field is no answer
 */
export function adviseOnAnswer(
  field: string | undefined,
  { header, map }: { header: ReadHeader | undefined; map: ReadonlyMap<string, string> },
): string | undefined {
  if (!SLUG_ANSWERS.some((answer) => answer === field)) return undefined;
  const index = header?.columns.findIndex((use) => fieldOf(use) === field);
  const mapped = [...map].find(([, mappedField]) => mappedField === field)?.[0];
  const name = trimInvisible(header?.names[index ?? -1] ?? mapped ?? field!);
  return `To leave out this column for all rows, give --map ${quoteForShell(`${name}=`)}.`;
}

/**
 * Proposes a `--map` for columns with unknown names.
 *
 * @param usedFields the fields that other columns hold
 * @returns the end of a sentence, such as `add --map "Mail=email", if the column 'Mail' holds email`; `undefined` if
 * no column is recognised
 */
function proposeMap(unknown: string[], usedFields: string[]): string | undefined {
  const pairs = proposeFields(unknown, usedFields);
  if (pairs.length === 0) return undefined;
  const map = pairs.map(({ column, field }) => `${column}=${field}`).join(",");
  const isComplete = unknown.length === pairs.length;
  const flags = `--map ${quoteForShell(map)}${isComplete ? "" : " --ignore-unknown"}`;
  const fields = [...usedFields, ...pairs.map(({ field }) => field)];
  const missing = Object.entries(REQUIRED_FIELDS)
    .filter(([field]) => !fields.includes(field))
    .map(([field, meaning]) =>
      `; also add --map "NAME=${field}" for the column that holds ${meaning}`
    );
  const condition = pairs.length === 1
    ? `if the column ${quoteNames([pairs[0]!.column])} holds ${pairs[0]!.field}`
    : "if these columns hold these fields";
  return `add ${flags}, ${condition}${missing.join("")}`;
}

/** Quotes a text for a shell. It prefers double quotes, which the shells of all systems understand. */
function quoteForShell(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}

/**
 * Quotes the names of columns for a message. It hides a name with `@`, because that name is an address if the file has no
 * header.
 */
function quoteNames(names: string[]): string {
  const quoted = names.slice(0, MAX_QUOTED_NAMES).map((name) =>
    name.includes("@") ? "(not shown)" : `'${quotable(trimInvisible(name), MAX_NAME_LENGTH)}'`
  );
  const moreCount = names.length - quoted.length;
  const phrases = moreCount > 0 ? [...quoted, `${moreCount} more`] : quoted;
  if (phrases.length < 2) return phrases.join("");
  return `${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)}`;
}
