/** Which column of an import file holds which field: by its own name, by `--map`, or not at all. @module */
import { quotable } from "../../../../shared/api_failure.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";
import { INVITED_FIELDS } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";
import { proposeMap } from "./proposal.ts";

/** How the columns of a file are read. */
export interface ColumnRules {
  /** The field of a column by its name in lower case; an empty field leaves the column out. */
  map: ReadonlyMap<string, string>;
  /** Whether a column that is no field, and has none in `map`, is left out. */
  ignoreUnknown: boolean;
}

/** What a column holds: a field, nothing that is imported, or nothing at all, as it has no name. */
export type Column = { field: string } | "left_out" | "nameless";

const REQUIRED = ["email", "consentedAt"];

const FIELDS = INVITED_FIELDS.join(", ");

/** A name as it is compared. */
export const plainName = (name: string): string => trimInvisible(name).toLowerCase();

const NAMED_FIELDS = new Map(INVITED_FIELDS.map((field) => [plainName(field), field]));

/** One pair of `--map`. The fields are known, so that the name of a column may have a comma or an equals sign. */
const PAIR = new RegExp(`\\s*(.+?)\\s*=\\s*(|${INVITED_FIELDS.join("|")})\\s*(?:,|$)`, "iuy");

/** Reads `--map "Email Address=email,OPTIN_TIME=consentedAt"`, which may be given several times. */
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
 * Finds the field of a sign-up that each column holds, by the names in the first line.
 * @throws {UsageError} where a name is unknown, or where a required field has no column or two
 */
export function readColumns(names: string[], rules: ColumnRules): Column[] {
  const { map, ignoreUnknown } = rules;
  const plain = names.map(plainName);
  const found = plain.map((name) => map.get(name) ?? NAMED_FIELDS.get(name));
  const taken = found.filter((field) => field !== undefined);
  const unknown = names.filter((_, index) => plain[index] !== "" && found[index] === undefined);
  const proposal = proposeMap(unknown, taken);
  // A line without any known name is data of a person, and is not quoted.
  if (taken.length === 0 && !proposal) {
    throw new UsageError(
      "The first line must name the columns; put a header above the rows, such as " +
        `${
          REQUIRED.join(",")
        }; the possible columns are ${FIELDS}; --map names columns of other names`,
    );
  }
  const refuse = (what: string, wayOut: string) => {
    throw new UsageError(`${what}; ${proposal?.advice ?? wayOut}`);
  };

  const absent = [...map.keys()].find((name) => !plain.includes(name));
  if (absent !== undefined) {
    const known = `its columns are ${quoteNames(names.filter((_, index) => plain[index] !== ""))}`;
    refuse(`--map names the column ${quoteNames([absent])}, which the file does not have`, known);
  }
  if (unknown.length > 0 && !ignoreUnknown) {
    const [subject, it] = unknown.length === 1
      ? [`The column ${quoteNames(unknown)} is`, "it"]
      : [`The columns ${quoteNames(unknown)} are`, "them"];
    refuse(
      `${subject} not known`,
      `remove ${it}, leave ${it} out with --ignore-unknown, or name ${it} with --map as one of ${FIELDS}`,
    );
  }
  const missing = REQUIRED.find((field) => !taken.includes(field));
  if (missing) {
    refuse(
      `There is no column ${missing}`,
      `the first line must name it, or --map must say which column holds it`,
    );
  }
  const twice = taken.find((field, index) => field !== "" && taken.indexOf(field) !== index);
  if (twice) {
    const own = names.filter((_, index) => found[index] === twice);
    throw new UsageError(
      `The column ${twice} is there twice; remove one of ${
        quoteNames(own)
      }, or leave it out with --map "NAME="`,
    );
  }
  return found.map((field, index) => field ? { field } : plain[index] ? "left_out" : "nameless");
}

/**
 * Says which columns are left out; `undefined` where none is.
 *
 * @param proposes whether to say also what `--map` could do with them
 */
export function describeLeftOut(
  names: string[],
  columns: Column[],
  { map, proposes }: Pick<ColumnRules, "map"> & { proposes: boolean },
): string | undefined {
  const leftOut = names.filter((_, index) => columns[index] === "left_out");
  if (leftOut.length === 0) return undefined;
  const taken = columns.flatMap((column) => typeof column === "object" ? [column.field] : []);
  const undecided = leftOut.filter((name) => !map.has(plainName(name)));
  const advice = proposes ? proposeMap(undecided, taken)?.advice : undefined;
  return `Left out: ${quoteNames(leftOut)}${advice ? `; ${advice}` : ""}.`;
}

/** The most names that a message quotes; the message has the number of the others, so that it stays short. */
const MAX_QUOTED = 8;

/** Quotes the names of columns for a message. It hides a name with `@`, because a file without a line of names begins with an address. */
export function quoteNames(names: string[]): string {
  const quoted = names.slice(0, MAX_QUOTED).map((name) =>
    name.includes("@") ? "(not shown)" : `'${quotable(trimInvisible(name), 40)}'`
  );
  const more = names.length - quoted.length;
  const all = more > 0 ? [...quoted, `${more} more`] : quoted;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
