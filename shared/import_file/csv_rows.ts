/** Reads the rows of an import file in CSV (RFC 4180) with a header. @module */
import { parse } from "csv-parse/sync";
import { prepend } from "../prepend.ts";
import { INVISIBLE, trimInvisible } from "../invisible.ts";
import { type Line, readLines } from "../lines.ts";
import { unescapeFormula } from "../signup_formats.ts";
import { type HeaderFault, readColumns, type ReadHeader, type RefusedHeader } from "./columns.ts";
import { joinLines } from "./joined_lines.ts";
import {
  type Bytes,
  endLinesWithLf,
  isBlank,
  type Row,
  type RowRules,
  toRefusedRow,
  toRow,
} from "./rows.ts";

/** The characters that can separate cells. */
const DELIMITERS = [",", ";", "\t"];

/** The first line of CSV: the names and the uses of the columns, and the character between cells. */
interface Header extends ReadHeader {
  delimiter: string;
}

/** A CSV file whose header has been read. */
export interface CsvRows extends ReadHeader {
  rows: AsyncGenerator<Row[]>;
}

/** Reads the header of CSV, and then the rows. Commas, semicolons or tabs separate the cells. */
export async function readCsvRows(bytes: Bytes, rules: RowRules): Promise<CsvRows | RefusedHeader> {
  const lineGroups = readLines(endLinesWithLf(bytes));
  const first = await takeFirstLine(lineGroups);
  if (!first) return unreadable({ fault: "empty" });
  const header = readHeader(first.line, rules);
  if ("refused" in header) return header;
  const { names, columns } = header;
  return { names, columns, rows: readRows(prepend(first.followers, lineGroups), header, rules) };
}

/** The cells of rows as they stand in the file, with the names of the columns. */
export interface RawRows {
  /** The cells of the first line. */
  names: string[];
  /** The character between cells. */
  delimiter: string;
  /** Some of the rows, in the order of the file, each with the number of its line. */
  groups: AsyncGenerator<{ number: number; cells: string[] }[]>;
}

/**
 * Reads the cells of the rows on some lines, without reading what the cells mean. A row that cannot be split into cells
 * has its whole text as its only cell, and a line that is too long or not UTF-8 has no cells.
 *
 * @returns `undefined` if the file has no header
 */
export async function readRawRows(
  bytes: Bytes,
  lineNumbers: ReadonlySet<number>,
): Promise<RawRows | undefined> {
  const lineGroups = readLines(endLinesWithLf(bytes));
  const first = await takeFirstLine(lineGroups);
  if (!first || "fault" in first.line) return undefined;
  const delimiter = findDelimiter(first.line.text);
  const [names = []] = parseLine(first.line.text, delimiter) ?? [];
  const header: Header = { names, columns: names.map(() => "left_out"), delimiter };
  const groups = prepend(first.followers, lineGroups);
  async function* readGroups() {
    for await (const lines of joinLines(groups, (text) => isRow(text, header))) {
      yield lines.filter(({ number }) => lineNumbers.has(number)).map((line) => ({
        number: line.number,
        cells: "fault" in line ? [] : parseLine(line.text, delimiter)?.[0] ?? [line.text],
      }));
    }
  }
  return { names, delimiter, groups: readGroups() };
}

async function* readRows(
  lineGroups: AsyncGenerator<Line[]>,
  header: Header,
  rules: RowRules,
): AsyncGenerator<Row[]> {
  for await (const lines of joinLines(lineGroups, (text) => isRow(text, header))) {
    yield readGroup(lines, header, rules);
  }
}

function unreadable(refused: HeaderFault): RefusedHeader {
  return { refused, names: [], unknown: [], fields: [] };
}

/**
 * Reads the first line that is not blank; `undefined` if there is none. `followers` are the lines behind it in the same
 * group of the stream.
 */
async function takeFirstLine(
  lineGroups: AsyncGenerator<Line[]>,
): Promise<{ line: Line; followers: Line[] } | undefined> {
  while (true) {
    const { value: lines, done } = await lineGroups.next();
    if (done) return undefined;
    const index = lines.findIndex((line) => !isBlank(line));
    if (index >= 0) return { line: lines[index]!, followers: lines.slice(index + 1) };
  }
}

/**
 * Whether a text is a whole row: a single record with at least as many cells as the header. For a single column, the
 * answer is always no, because otherwise every line would be a whole row.
 */
function isRow(text: string, { columns, delimiter }: Header): boolean {
  const [cells, ...others] = parseLine(text, delimiter) ?? [];
  return cells !== undefined && others.length === 0 && columns.length > 1 &&
    cells.length >= columns.length;
}

function readHeader(line: Line, rules: RowRules): Header | RefusedHeader {
  if ("fault" in line) return unreadable(line);
  const delimiter = findDelimiter(line.text);
  const [names = []] = parseLine(line.text, delimiter) ?? [];
  const header = readColumns(names, rules);
  return "refused" in header ? header : { ...header, delimiter };
}

/** Returns the delimiter that a line has most often. */
function findDelimiter(text: string): string {
  let best = { delimiter: ",", cells: 0 };
  for (const delimiter of DELIMITERS) {
    const cells = text.split(delimiter).length;
    if (cells > best.cells) best = { delimiter, cells };
  }
  return best.delimiter;
}

/** Reads the rows on some lines. */
function readGroup(lines: Line[], header: Header, rules: RowRules): Row[] {
  const texts = lines.flatMap((line) => "text" in line ? [line.text] : []);
  const records = parseCells(texts.join("\n"), header.delimiter);
  // Parsing all lines at once is fast. The result is used only if there are as many records as lines, because then no
  // cell within quotes continues on the next line.
  const cellsByLine = texts.length === lines.length && records?.length === lines.length
    ? records
    : undefined;
  return lines.flatMap((line, index) =>
    readRow(line, header, { parsedCells: cellsByLine?.[index], rules }) ?? []
  );
}

/**
 * Reads the row on a line; `undefined` if the line is blank or has only empty cells.
 *
 * @param options.parsedCells the cells of the line, if they are already parsed
 */
function readRow(
  line: Line,
  { columns, delimiter }: Header,
  { parsedCells, rules }: { parsedCells: string[] | undefined; rules: RowRules },
): Row | undefined {
  const { number } = line;
  if ("fault" in line) return toRefusedRow(line);
  if (isBlank(line)) return undefined;
  const cells = parsedCells ?? parseLine(line.text, delimiter)?.[0];
  if (!cells) {
    const reason =
      "A quotation mark opens on this line and never closes; add the closing quotation mark.";
    return { number, reasons: [reason] };
  }
  // Spreadsheets write empty rows, and empty cells behind the last column. Both are ignored.
  const lastFilled = cells.findLastIndex((cell) => trimInvisible(cell) !== "");
  if (lastFilled < 0) return undefined;
  if (cells.length < columns.length || lastFilled >= columns.length) {
    const cellCount = cells.length === 1 ? "1 cell" : `${cells.length} cells`;
    const reason =
      `The row has ${cellCount}, but the header has ${columns.length}; give the row one cell for each column.`;
    return { number, reasons: [reason] };
  }
  const fields: [string, string][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (typeof column === "object") fields.push([column.field, unescapeFormula(cell)]);
    else if (column === "nameless" && !rules.ignoreUnknown && trimInvisible(cell) !== "") {
      const reason =
        `Column ${
          index + 1
        } has a value on this line, but no name in the first line of the file; ` +
        `name the column, or ${rules.advice.nameless}.`;
      return { number, reasons: [reason] };
    }
  }
  return toRow(number, fields, rules);
}

/**
 * Matches invisible characters between a quote and a delimiter. A line that cannot be parsed is parsed once more
 * without these characters, because people cannot see them in the file.
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
