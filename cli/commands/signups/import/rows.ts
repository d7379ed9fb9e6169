/**
 * Reads the rows of an import file, CSV or NDJSON. A fault in one row, such as a quote that is not closed, spoils no other
 * row.
 *
 * @module
 */
import { parse } from "csv-parse/sync";
import { INVISIBLE, trimInvisible } from "../../../../shared/invisible.ts";
import { type Line, readLines } from "../../../../shared/lines.ts";
import { isObject } from "../../../../shared/schemas.ts";
import { INVITED_FIELDS, unescapeFormula } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";
import { LINE_FAULTS } from "../../../input.ts";
import { type Column, type ColumnRules, plainName, readColumns } from "./columns.ts";
import { joinLines } from "./joined_lines.ts";
import { readValue } from "./values.ts";

/** A row with the number of its line, its JSON and its address in lower case, or a row that cannot be read. */
export type Row = { number: number; json: string; address: string } | RefusedRow;

/** A row that cannot be read, and the reason as a sentence. */
export interface RefusedRow {
  number: number;
  reason: string;
}

/** The flags about rows. */
export interface RowRules extends ColumnRules {
  /** The IANA name of the zone for times without a zone. */
  zone: string | undefined;
  /** Is called before the first row of CSV, with the names of the columns and their uses. */
  onColumns?: (names: string[], columns: Column[]) => void;
}

type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>;

const CR = 0x0d;
const LF = 0x0a;

/** Turns each CR without an LF behind it into an LF. Then every line of the file ends with LF or CRLF. */
async function* endLinesWithLf(chunks: Bytes): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let endsWithCr = false;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    // A CR at the end of a chunk is yielded with the next chunk, because the first byte of that chunk decides whether
    // the CR stays a CR.
    if (endsWithCr) yield Uint8Array.of(chunk[0] === LF ? CR : LF);
    endsWithCr = chunk.at(-1) === CR;
    const bytes = endsWithCr ? chunk.subarray(0, -1) : chunk;
    let copy: Uint8Array<ArrayBuffer> | undefined;
    for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) {
      if (bytes[at + 1] === LF) continue;
      copy ??= bytes.slice();
      copy[at] = LF;
    }
    yield copy ?? bytes;
  }
  if (endsWithCr) yield Uint8Array.of(LF);
}

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
  for (const [name, member] of Object.entries(value)) {
    const field = rules.map.get(plainName(name)) ?? name;
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

/** Returns a member as a field. The members of `proof` become fields such as `proof.putAt`, the names of CSV. */
function partsOf(field: string, value: unknown): [string, unknown][] {
  if (field !== "proof" || !isObject(value)) return [[field, value]];
  return Object.entries(value).map(([part, member]) => [`${field}.${part}`, member]);
}

/** Makes a row from fields. Empty values are left out. */
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

/** The first line of CSV: the use of each column, and the character between cells. */
interface Header {
  columns: Column[];
  delimiter: string;
}

/** Reads the rows of CSV (RFC 4180) with a header. Commas, semicolons or tabs separate the cells. */
export async function* readCsvRows(bytes: Bytes, rules: RowRules): AsyncGenerator<Row[]> {
  const groups = readLines(endLinesWithLf(bytes));
  for (;;) {
    const next = await groups.next();
    if (next.done) throw new UsageError("The file is empty; its first line must name the columns");
    const lines: Line[] = next.value;
    const first = lines.findIndex((line) => !isBlank(line));
    if (first < 0) continue;
    const header = readHeader(lines[first]!, rules);
    const rest = chain(lines.slice(first + 1), groups);
    for await (const some of joinLines(rest, (text) => isRow(text, header))) {
      yield readGroup(some, header, rules);
    }
    return;
  }
}

/** Yields a group of lines, and then the other groups. */
async function* chain(first: Line[], others: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  yield first;
  yield* others;
}

/**
 * Whether a text has as many cells as the header, or more. With a single column the answer is always no, because every line
 * would be a row, and no lines would be joined.
 */
function isRow(text: string, { columns, delimiter }: Header): boolean {
  const [cells, ...others] = parseLine(text, delimiter) ?? [];
  return cells !== undefined && others.length === 0 && columns.length > 1 &&
    cells.length >= columns.length;
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
  // Parsing all lines at once is fast. It is right only if there are as many records as lines, because then no quote
  // reaches beyond a line.
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
    return { number, reason: "A quote on this line is not closed." };
  }
  // Spreadsheets write empty rows, and empty cells behind the last column. Both are ignored.
  const last = cells.findLastIndex((cell) => trimInvisible(cell) !== "");
  if (last < 0) return [];
  if (cells.length < columns.length || last >= columns.length) {
    const reason = `The row has ${cells.length} cells, and the header has ${columns.length}.`;
    return { number, reason };
  }
  const fields: [string, string][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (typeof column === "object") fields.push([column.field, unescapeFormula(cell)]);
    else if (column === "nameless" && !rules.ignoreUnknown && trimInvisible(cell) !== "") {
      const reason =
        `Column ${
          index + 1
        } has a value here, but no name in the first line; name the column, or ` +
        "leave it out with --ignore-unknown.";
      return { number, reason };
    }
  }
  return toRow(number, fields, rules);
}

/**
 * Matches invisible characters between a quote and a delimiter. A line is read without them, because a reader cannot
 * see them.
 */
const aroundQuotes = (delimiter: string) =>
  new RegExp(`(?<=^|${delimiter})${INVISIBLE}+(?=")|(?<=")${INVISIBLE}+(?=$|${delimiter})`, "gu");

/** Returns the cells of one line as a list with one record; `undefined` if a quote is not closed. */
function parseLine(text: string, delimiter: string): string[][] | undefined {
  return parseCells(text, delimiter) ??
    parseCells(text.replace(aroundQuotes(delimiter), ""), delimiter);
}

/** Returns the cells of each record in a text; `undefined` if a quote is not closed. */
function parseCells(text: string, delimiter: string): string[][] | undefined {
  const options = { delimiter, record_delimiter: "\n", relax_column_count: true, trim: true };
  try {
    return parse(text, options);
  } catch {
    return undefined;
  }
}
