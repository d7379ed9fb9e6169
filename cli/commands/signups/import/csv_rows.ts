/** Reads the rows of an import file in CSV (RFC 4180) with a header. @module */
import { parse } from "csv-parse/sync";
import { INVISIBLE, trimInvisible } from "../../../../shared/invisible.ts";
import { type Line, readLines } from "../../../../shared/lines.ts";
import { unescapeFormula } from "../../../../shared/signup_formats.ts";
import { chain } from "../../../chain.ts";
import { UsageError } from "../../../errors.ts";
import { LINE_FAULTS } from "../../../input.ts";
import { type Column, readColumns } from "./columns.ts";
import { joinLines } from "./joined_lines.ts";
import { type Bytes, endLinesWithLf, isBlank, type Row, type RowRules, toRow } from "./rows.ts";

const DELIMITERS = [",", ";", "\t"];

/** The messages about a first line that cannot be read, without a full stop. */
const HEADER_FAULTS = {
  too_long:
    "The first line of the file, which must name the columns, is longer than 64 KB; check that " +
    "the file is CSV",
  not_utf8: "The first line of the file is not UTF-8 text; save the file as UTF-8",
};

/** The first line of CSV: the use of each column, and the character between cells. */
interface Header {
  columns: Column[];
  delimiter: string;
}

/**
 * Reads the rows. Commas, semicolons or tabs separate the cells.
 *
 * @throws {UsageError} if the file is empty, or if the header is wrong
 */
export async function* readCsvRows(bytes: Bytes, rules: RowRules): AsyncGenerator<Row[]> {
  const groups = readLines(endLinesWithLf(bytes));
  const { line, followers } = await takeFirstLine(groups);
  const header = readHeader(line, rules);
  const lines = chain(followers, groups);
  for await (const group of joinLines(lines, (text) => isRow(text, header))) {
    yield readGroup(group, header, rules);
  }
}

/** Reads the first line that is not blank. `followers` are the lines behind it in the same group of the stream. */
async function takeFirstLine(
  groups: AsyncGenerator<Line[]>,
): Promise<{ line: Line; followers: Line[] }> {
  while (true) {
    const next = await groups.next();
    if (next.done) throw new UsageError("The file is empty; its first line must name the columns");
    const lines: Line[] = next.value;
    const first = lines.findIndex((line) => !isBlank(line));
    if (first >= 0) return { line: lines[first]!, followers: lines.slice(first + 1) };
  }
}

/**
 * Whether a text is a whole row: a single record with at least as many cells as the header. For a file with a single
 * column the answer is always no, because otherwise every line would be a whole row, and lines would never be joined.
 */
function isRow(text: string, { columns, delimiter }: Header): boolean {
  const [cells, ...others] = parseLine(text, delimiter) ?? [];
  return cells !== undefined && others.length === 0 && columns.length > 1 &&
    cells.length >= columns.length;
}

function readHeader(line: Line, rules: RowRules): Header {
  if ("fault" in line) throw new UsageError(HEADER_FAULTS[line.fault]);
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
  // Parsing all lines at once is fast. The result is used only if there are as many records as lines, because then no
  // cell within quotes continues on the next line.
  const whole = texts.length === lines.length && all?.length === lines.length ? all : undefined;
  return lines.flatMap((line, index) =>
    readRow(line, header, { known: whole?.[index], rules }) ?? []
  );
}

/**
 * Reads the row on a line; `undefined` if the line is blank or has only empty cells.
 *
 * @param options.known the cells of the line, if they are parsed already
 */
function readRow(
  line: Line,
  { columns, delimiter }: Header,
  { known, rules }: { known: string[] | undefined; rules: RowRules },
): Row | undefined {
  const { number } = line;
  if ("fault" in line) return { number, reason: LINE_FAULTS[line.fault] };
  if (isBlank(line)) return undefined;
  const cells = known ?? parseLine(line.text, delimiter)?.[0];
  if (!cells) return { number, reason: "A quote on this line is not closed." };
  // Spreadsheets write empty rows, and empty cells behind the last column. Both are ignored.
  const last = cells.findLastIndex((cell) => trimInvisible(cell) !== "");
  if (last < 0) return undefined;
  if (cells.length < columns.length || last >= columns.length) {
    const reason = `The row has ${cells.length} cells, and the header has ${columns.length}.`;
    return { number, reason };
  }
  const fields: [string, string][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (typeof column === "object") fields.push([column.field, unescapeFormula(cell)]);
    else if (column === "nameless" && !rules.ignoreUnknown && trimInvisible(cell) !== "") {
      const name = `Column ${index + 1}`;
      const reason =
        `${name} has a value here, but no name in the first line; name the column, or ` +
        "leave it out with --ignore-unknown.";
      return { number, reason };
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
