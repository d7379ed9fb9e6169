/** Reads the rows of an import file in NDJSON. @module */
import { trimInvisible } from "../invisible.ts";
import { LINE_FAULTS, readLines } from "../lines.ts";
import { isObject } from "../schemas.ts";
import { INVITED_FIELDS } from "../signup_formats.ts";
import { namesInMap } from "./columns.ts";
import { NAMED_FIELDS, plainName } from "./names.ts";
import { type Bytes, endLinesWithLf, isBlank, type Row, type RowRules, toRow } from "./rows.ts";

/** Reads the rows of NDJSON. The service checks the values. */
export async function* readNdjsonRows(bytes: Bytes, rules: RowRules): AsyncGenerator<Row[]> {
  for await (const lines of readLines(endLinesWithLf(bytes))) {
    yield lines.flatMap((line): Row | [] => {
      const { number } = line;
      if ("fault" in line) return { number, reason: LINE_FAULTS[line.fault] };
      return isBlank(line) ? [] : readObject(number, trimInvisible(line.text), rules);
    });
  }
}

function readObject(number: number, text: string, rules: RowRules): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The line is sent as it is, because the service says what is wrong with it.
  }
  if (!isObject(value)) return { number, json: text, address: "" };
  const fields: [string, unknown][] = [];
  const members = Object.keys(value);
  const mapped = rules.map.size > 0 ? namesInMap(members, rules.map) : [];
  for (const [index, name] of members.entries()) {
    const member = value[name];
    const nameInMap = mapped[index];
    const field = nameInMap === undefined ? fieldOf(name, members) : rules.map.get(nameInMap)!;
    const isKnown = KNOWN.has(field.split(".")[0]!);
    if (field !== "" && (isKnown || !rules.ignoreUnknown)) fields.push(...partsOf(field, member));
  }
  const names = fields.map(([field]) => field);
  const twice = names.find((field, index) => names.indexOf(field) !== index);
  if (twice) return { number, reason: `Two members of the line hold the field ${twice}.` };
  return toRow(number, fields, rules);
}

/** The names of the members of an import line. The member `proof` is an object. */
const KNOWN = new Set(INVITED_FIELDS.map((field) => field.split(".")[0]!));

/**
 * Returns the field that a member holds by its name, as a column of CSV does: `updated_at` is `updatedAt`. Returns the
 * name itself if it is not the name of a field, or if another member has exactly the name of the field. A note must
 * have exactly the name `note`, because the notes of other tools are not meant for the person.
 */
function fieldOf(name: string, members: string[]): string {
  if (KNOWN.has(name)) return name;
  const field = NAMED_FIELDS.get(plainName(name));
  return field === undefined || field === "note" || members.includes(field) ? name : field;
}

/**
 * Returns the fields of a member. Each member of `proof` becomes a field such as `proof.putAt`, which is also the name of
 * its column in CSV.
 */
function partsOf(field: string, value: unknown): [string, unknown][] {
  if (field !== "proof" || !isObject(value)) return [[field, value]];
  return Object.entries(value).map(([part, member]) => [`${field}.${part}`, member]);
}
