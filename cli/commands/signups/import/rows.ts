/**
 * Reads the rows of an import file. No cell of a sign-up holds a line break, so each line of CSV is a
 * row: a fault in one line, such as a quote that is not closed, cannot swallow the next.
 *
 * @module
 */
import { parse } from "csv-parse/sync";
import { type Line, readLines } from "../../../shared/lines.ts";
import { UsageError } from "../../errors.ts";
import { LINE_FAULTS } from "../../files.ts";
import { INVITED_FIELDS } from "../../../shared/signup_formats.ts";

/** A row of an import file, as JSON, or the reason why it cannot be read. Numbers are those of lines. */
export type Row = { number: number; json: string; address: string } | RefusedRow;

/** A line that cannot be read, and the reason. */
export interface RefusedRow {
  number: number;
  reason: string;
}

/** Reads rows from NDJSON. The service checks their content. */
export async function* readNdjsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  for await (const lines of readLines(bytes)) {
    const rows: Row[] = [];
    for (const line of lines) {
      const { number } = line;
      if ("fault" in line) rows.push({ number, reason: LINE_FAULTS[line.fault] });
      else if (line.text.trim() !== "") {
        rows.push({ number, json: line.text, address: addressIn(line.text) });
      }
    }
    yield rows;
  }
}

/** The address that a line names, empty where it names none. */
function addressIn(json: string): string {
  try {
    return String(JSON.parse(json).email).toLowerCase();
  } catch {
    return "";
  }
}

const REQUIRED = ["email", "consentedAt"];

const DELIMITERS = [",", ";", "\t"];

/** The first line of a file: the column of each cell, and the character between cells. */
interface Header {
  columns: string[];
  delimiter: string;
}

/** Reads rows from CSV (RFC 4180), with a header and commas, semicolons or tabs between the cells. */
export async function* readCsvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  let header: Header | undefined;
  for await (let lines of readLines(bytes)) {
    if (!header) {
      const first = lines.findIndex((line) => !isBlank(line));
      if (first < 0) continue;
      header = readHeader(lines[first] as Line);
      lines = lines.slice(first + 1);
    }
    yield readGroup(lines, header);
  }
  if (!header) throw new UsageError("The file is empty; its first line must name the columns");
}

function isBlank(line: Line): boolean {
  return "text" in line && line.text.trim() === "";
}

function readHeader(line: Line): Header {
  if ("fault" in line) {
    throw new UsageError(`The header of the file cannot be read: ${LINE_FAULTS[line.fault]}`);
  }
  const count = (delimiter: string) => line.text.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((a, b) => count(b) > count(a) ? b : a);
  const [names = []] = parseCells(line.text, delimiter) ?? [];
  const found = names.map((name) =>
    INVITED_FIELDS.find((column) => column.toLowerCase() === name.toLowerCase())
  );
  // A line without any known name is data of a person, and is not quoted.
  if (!found.some((column) => column !== undefined)) {
    throw new UsageError(
      "The first line must name the columns; put a header above the rows, such as " +
        `${REQUIRED.join(",")}; the possible columns are ${INVITED_FIELDS.join(", ")}`,
    );
  }
  const columns = found.map((column, index) => {
    if (column) return column;
    const name = names[index] as string;
    throw new UsageError(
      `The column '${name.slice(0, 40)}' is not known; remove it or name it one of ` +
        INVITED_FIELDS.join(", "),
    );
  });
  const missing = REQUIRED.find((column) => !columns.includes(column));
  if (missing) throw new UsageError(`There is no column ${missing}; the first line must name it`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice) throw new UsageError(`The column ${twice} is there twice; remove one`);
  return { columns, delimiter };
}

function readGroup(lines: Line[], header: Header): Row[] {
  const texts = lines.flatMap((line) => "text" in line ? [line.text] : []);
  const all = parseCells(texts.join("\n"), header.delimiter);
  // With as many records as lines, no quote reaches over a line's end. Parsing all lines at once is fast.
  const whole = texts.length === lines.length && all?.length === lines.length ? all : undefined;
  const rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    if (isBlank(line)) continue;
    rows.push(readRow(line, header, whole?.[index]));
  }
  return rows;
}

function readRow(line: Line, { columns, delimiter }: Header, known: string[] | undefined): Row {
  const { number } = line;
  if ("fault" in line) return { number, reason: LINE_FAULTS[line.fault] };
  const cells = known ?? parseCells(line.text, delimiter)?.[0];
  if (!cells) {
    const reason = "A quote is not closed on this line; a cell may not hold a line break.";
    return { number, reason };
  }
  if (cells.length !== columns.length) {
    const reason = `The row has ${cells.length} cells and the header ${columns.length}.`;
    return { number, reason };
  }
  const fields: Record<string, string | Record<string, string>> = {};
  for (const [index, cell] of cells.entries()) {
    if (cell === "") continue;
    const [name = "", part] = columns[index]!.split(".");
    const value = unescapeFormula(cell);
    fields[name] = part ? { ...fields[name] as Record<string, string>, [part]: value } : value;
  }
  const address = String(fields.email ?? "").toLowerCase();
  return { number, json: JSON.stringify(fields), address };
}

/** Takes off the apostrophe that an export puts before a cell that a spreadsheet would run. */
function unescapeFormula(cell: string): string {
  return /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell;
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
