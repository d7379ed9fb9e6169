/** Reads the rows of an import file in NDJSON. @module */
import { trimInvisible } from "../invisible.ts";
import { readLines } from "../lines.ts";
import { isObject } from "../schemas.ts";
import { INVITED_FIELDS } from "../signup_formats.ts";
import { namesInMap } from "./columns.ts";
import { FIELDS_BY_PLAIN_NAME, plainName } from "./names.ts";
import {
  type Bytes,
  endLinesWithLf,
  isBlank,
  type Row,
  type RowRules,
  toRefusedRow,
  toRow,
} from "./rows.ts";

/** The names of the members of an import line. The member `proof` is an object. */
const KNOWN_MEMBERS = new Set(INVITED_FIELDS.map((field) => field.split(".")[0]!));

/** Reads the rows of NDJSON. The service checks the values. */
export async function* readNdjsonRows(bytes: Bytes, rules: RowRules): AsyncGenerator<Row[]> {
  for await (const lines of readLines(endLinesWithLf(bytes))) {
    yield lines.flatMap((line): Row | [] => {
      if ("fault" in line) return toRefusedRow(line);
      return isBlank(line) ? [] : readObject(line.number, trimInvisible(line.text), rules);
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
  if (!isObject(value)) return { number, json: text, address: "", signedUpAt: "" };
  const fields: [name: string, value: unknown][] = [];
  const memberNames = Object.keys(value);
  const mapNames = rules.map.size > 0 ? namesInMap(memberNames, rules.map) : [];
  for (const [index, memberName] of memberNames.entries()) {
    const mapName = mapNames[index];
    const field = mapName === undefined
      ? fieldOf(memberName, memberNames)
      : rules.map.get(mapName)!;
    const isKnown = KNOWN_MEMBERS.has(field.split(".")[0]!);
    if (field !== "" && (isKnown || !rules.ignoreUnknown)) {
      fields.push(...fieldsOfMember(field, value[memberName]));
    }
  }
  const fieldNames = fields.map(([name]) => name);
  const duplicate = fieldNames.find((name, index) => fieldNames.indexOf(name) !== index);
  if (duplicate) {
    const reason =
      `Two members of this JSON object hold the field ${duplicate}; remove one of these members.`;
    return { number, reasons: [reason] };
  }
  return toRow(number, fields, rules);
}

/**
 * Returns the field that a member holds by its name, as a column of CSV does: `updated_at` is `updatedAt`. Returns the
 * name itself if it is not the name of a field, or if another member has exactly the name of the field. A note must
 * have exactly the name `note`, because the notes of other tools are not meant for the person.
 */
function fieldOf(name: string, memberNames: string[]): string {
  if (KNOWN_MEMBERS.has(name)) return name;
  const field = FIELDS_BY_PLAIN_NAME.get(plainName(name));
  return field === undefined || field === "note" || memberNames.includes(field) ? name : field;
}

/**
 * Returns the fields of a member. Each member of `proof` becomes a field such as `proof.putAt`, which is also the name of
 * its column in CSV.
 */
function fieldsOfMember(field: string, value: unknown): [name: string, value: unknown][] {
  if (field !== "proof" || !isObject(value)) return [[field, value]];
  return Object.entries(value).map(([name, member]) => [`proof.${name}`, member]);
}
