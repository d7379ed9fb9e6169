/**
 * Reads the rows of an import file. No cell of a sign-up holds a line break, so each line of CSV is a
 * row: a fault in one line, such as a quote that is not closed, cannot swallow the next.
 *
 * @module
 */
import { parse } from "csv-parse/sync";
import { INVISIBLE, trimInvisible } from "../../../../shared/invisible.ts";
import { type Line, readLines } from "../../../../shared/lines.ts";
import { isObject } from "../../../../shared/schemas.ts";
import { INVITED_FIELDS, unescapeFormula } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";
import { LINE_FAULTS } from "../../../files.ts";
import { type Column, type ColumnRules, plainName, readColumns } from "./columns.ts";
import { endLinesWithLf } from "./line_ends.ts";
import { readValue } from "./values.ts";

/** A row of an import file as JSON with the number of its first line, or the reason why the row cannot be read. */
export type Row = { number: number; json: string; address: string } | RefusedRow;

/** A line that cannot be read, and the reason. */
export interface RefusedRow {
  number: number;
  reason: string;
}

/** How the rows of a file are read. */
export interface RowRules extends ColumnRules {
  /** The IANA name of the zone of times that name none. */
  zone: string | undefined;
  /** Is told the names of the columns of CSV, and what each holds, before the first row. */
  onColumns?: (names: string[], columns: Column[]) => void;
}

type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Reads rows from NDJSON. The service checks their content. */
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
    // The service says what is wrong with the line.
  }
  if (!isObject(value)) return { number, json: text, address: "" };
  const fields: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const field = rules.map.get(plainName(name)) ?? name;
    const isKnown = KNOWN.has(field.split(".")[0]!);
    if (field !== "" && (isKnown || !rules.ignoreUnknown)) fields.push(...partsOf(field, member));
  }
  const names = fields.map(([field]) => field);
  const twice = names.find((field, index) => names.indexOf(field) !== index);
  if (twice) return { number, reason: `Two members of the line are the field ${twice}.` };
  return toRow(number, fields, rules);
}

/** The members of an import line; that of a proof is an object. */
const KNOWN = new Set(INVITED_FIELDS.map((field) => field.split(".")[0]!));

/** A field, or the fields of a proof, as the columns of CSV name them. */
function partsOf(field: string, value: unknown): [string, unknown][] {
  if (field !== "proof" || !isObject(value)) return [[field, value]];
  return Object.entries(value).map(([part, member]) => [`${field}.${part}`, member]);
}

/** Makes a row of the values of fields. What is empty is left out. */
function toRow(
  number: number,
  fields: Iterable<[field: string, value: unknown]>,
  { zone }: RowRules,
): Row {
  const members = new Map<string, unknown>();
  const proof = new Map<string, unknown>();
  for (const [field, given] of fields) {
    const read = typeof given === "string" ? readValue(field, given, zone) : { value: given };
    if ("reason" in read) return { number, reason: read.reason };
    if (read.value === "") continue;
    if (field.startsWith(PROOF)) proof.set(field.slice(PROOF.length), read.value);
    else members.set(field, read.value);
  }
  if (proof.size > 0) members.set("proof", Object.fromEntries(proof));
  const address = String(members.get("email") ?? "").toLowerCase();
  return { number, json: JSON.stringify(Object.fromEntries(members)), address };
}

const PROOF = "proof.";

const DELIMITERS = [",", ";", "\t"];

/** The first line of a file: what each column holds, and the character between cells. */
interface Header {
  columns: Column[];
  delimiter: string;
}

/** Reads rows from CSV (RFC 4180), with a header and commas, semicolons or tabs between the cells. */
export async function* readCsvRows(bytes: Bytes, rules: RowRules): AsyncGenerator<Row[]> {
  let header: Header | undefined;
  for await (let lines of readLines(endLinesWithLf(bytes))) {
    if (!header) {
      const first = lines.findIndex((line) => !isBlank(line));
      if (first < 0) continue;
      header = readHeader(lines[first] as Line, rules);
      lines = lines.slice(first + 1);
    }
    yield readGroup(lines, header, rules);
  }
  if (!header) throw new UsageError("The file is empty; its first line must name the columns");
}

function isBlank(line: Line): boolean {
  return "text" in line && trimInvisible(line.text) === "";
}

function readHeader(line: Line, rules: RowRules): Header {
  if ("fault" in line) {
    throw new UsageError(`The header of the file cannot be read: ${LINE_FAULTS[line.fault]}`);
  }
  const count = (delimiter: string) => line.text.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((a, b) => count(b) > count(a) ? b : a);
  const [names = []] = parseLine(line.text, delimiter) ?? [];
  const columns = readColumns(names, rules);
  rules.onColumns?.(names, columns);
  return { columns, delimiter };
}

function readGroup(lines: Line[], header: Header, rules: RowRules): Row[] {
  const texts = lines.flatMap((line) => "text" in line ? [line.text] : []);
  const all = parseCells(texts.join("\n"), header.delimiter);
  // With as many records as lines, no quote reaches over a line's end. Parsing all lines at once is fast.
  const whole = texts.length === lines.length && all?.length === lines.length ? all : undefined;
  return lines.flatMap((line, index) => readRow(line, header, { known: whole?.[index], rules }));
}

function readRow(
  line: Line,
  { columns, delimiter }: Header,
  { known, rules }: { known: string[] | undefined; rules: RowRules },
): Row | [] {
  const { number } = line;
  if ("fault" in line) return { number, reason: LINE_FAULTS[line.fault] };
  if (isBlank(line)) return [];
  const cells = known ?? parseLine(line.text, delimiter)?.[0];
  if (!cells) {
    const reason = "A quote is not closed on this line; a cell may not hold a line break.";
    return { number, reason };
  }
  // Spreadsheets have empty rows, and empty cells behind the last column.
  const last = cells.findLastIndex((cell) => trimInvisible(cell) !== "");
  if (last < 0) return [];
  if (cells.length < columns.length || last >= columns.length) {
    const reason = `The row has ${cells.length} cells and the header ${columns.length}.`;
    return { number, reason };
  }
  const fields: [string, string][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (typeof column === "object") fields.push([column.field, unescapeFormula(cell)]);
    else if (column === "nameless" && !rules.ignoreUnknown && trimInvisible(cell) !== "") {
      const reason =
        `The cell in column ${
          index + 1
        } is not empty, and the column has no name; name it in the ` +
        "first line, or leave it out with --ignore-unknown.";
      return { number, reason };
    }
  }
  return toRow(number, fields, rules);
}

/** What nobody sees between a quote and the character between cells. A usual space there is no fault of a line. */
const aroundQuotes = (delimiter: string) =>
  new RegExp(`(?<=^|${delimiter})${INVISIBLE}+(?=")|(?<=")${INVISIBLE}+(?=$|${delimiter})`, "gu");

/** The cells of one line; `undefined` where quotes are not closed. */
function parseLine(text: string, delimiter: string): string[][] | undefined {
  return parseCells(text, delimiter) ??
    parseCells(text.replace(aroundQuotes(delimiter), ""), delimiter);
}

/** The cells of each record; `undefined` where quotes are not closed. */
function parseCells(text: string, delimiter: string): string[][] | undefined {
  const options = { delimiter, record_delimiter: "\n", relax_column_count: true, trim: true };
  try {
    return parse(text, options);
  } catch {
    return undefined;
  }
}
