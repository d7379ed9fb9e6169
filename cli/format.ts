/**
 * Formats the tables, fields, times and numbers that the texts of several commands have. `print.ts` prints these texts.
 *
 * @module
 */
import { dayEndingAt } from "../shared/moments.ts";
import type { Style } from "./print.ts";

/** Formats names and values as aligned lines. Fields without a value are left out. */
export function formatFields(
  fields: [name: string, value: string | undefined][],
  style: Style,
): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${style.dim(name.padEnd(width))}  ${escapeLineFeeds(value!)}\n`)
    .join("");
}

/** The least width to which a table shortens a column, in characters. */
const MIN_COLUMN_WIDTH = 8;

/** The space between two columns. */
const GAP = "  ";

/** How a table fits a narrow terminal. Columns are named by their titles. */
export interface TableFit {
  /** The columns that the table may leave out, the least important column first. */
  mayDrop?: string[];
  /** The columns whose texts the table may cut. Ids and addresses stay whole, because people copy them. */
  mayShorten?: string[];
}

/**
 * Formats a table with aligned columns and a heading. Numbers are aligned on the right. If a terminal is too narrow for
 * the table, the table leaves out the columns of `mayDrop`, and then shortens the columns of `mayShorten`.
 */
export function formatTable(
  heading: string[],
  rows: string[][],
  style: Style,
  fit: TableFit = {},
): string {
  const allColumns = heading.map((title, index) =>
    createColumn(title, rows.map((row) => row[index] ?? ""))
  );
  const columns = fitColumns(allColumns, style.width ?? Infinity, fit);
  const headingLine = formatRow(columns.map((column) => [column.title, column]));
  const lines = rows.map((_, index) =>
    formatRow(columns.map((column) => [column.cells[index]!, column]))
  );
  return [style.bold(headingLine), ...lines].map((line) => `${line}\n`).join("");
}

/** A column of a table. */
interface Column {
  title: string;
  /** The texts below the title, one for each row. */
  cells: string[];
  /** The width of the column, in characters. */
  width: number;
  isNumeric: boolean;
}

/** Makes a column that is as wide as its longest text. */
function createColumn(title: string, texts: string[]): Column {
  const cells = texts.map(escapeLineFeeds);
  return {
    title,
    cells,
    width: Math.max(title.length, ...cells.map(({ length }) => length)),
    isNumeric: cells.every((cell) => /^[\d,.%]*$/.test(cell)),
  };
}

/** Returns the columns that fit into a width. The columns of `mayShorten` may get a smaller width. */
function fitColumns(
  allColumns: Column[],
  availableWidth: number,
  { mayDrop = [], mayShorten = [] }: TableFit,
): Column[] {
  let columns = allColumns;
  const isTooWide = () => tableWidth(columns) > availableWidth;
  for (const title of mayDrop) {
    if (isTooWide()) columns = columns.filter((column) => column.title !== title);
  }
  const shortenable = columns.filter(({ title }) => mayShorten.includes(title));
  while (isTooWide()) {
    const [widest] = shortenable.toSorted((one, other) => other.width - one.width);
    if (!widest || widest.width <= MIN_COLUMN_WIDTH) break;
    widest.width--;
  }
  return columns;
}

function tableWidth(columns: Column[]): number {
  const gaps = GAP.length * (columns.length - 1);
  return columns.reduce((sum, { width }) => sum + width, gaps);
}

/** Formats the texts of a row, each with the width of its column. A text that is too long is cut. */
function formatRow(cells: [text: string, column: Column][]): string {
  return cells.map(([text, { width, isNumeric }]) => {
    const cutText = text.length > width ? `${text.slice(0, width - 1)}…` : text;
    return isNumeric ? cutText.padStart(width) : cutText.padEnd(width);
  }).join(GAP).trimEnd();
}

/** Escapes line feeds, because a value with a line feed could imitate a line of the program. */
function escapeLineFeeds(text: string): string {
  return text.replaceAll("\n", "\\u000a");
}

/** Formats a date-time in UTC to the minute: `2026-11-21 12:00`. Returns any other text unchanged. */
export function formatMinute(dateTime: string): string {
  return dateTime.replace(/^(\d{4,}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/, "$1 $2");
}

/** Formats a date-time in UTC to the second: `2026-11-21 12:00:20 UTC`. Returns a text of another form unchanged. */
export function formatSecond(dateTime: string): string {
  return dateTime.replace(/^(.+)T([\d:]+).*$/, "$1 $2 UTC");
}

/** Formats a number as people read it: `1,200`. */
export function formatNumber(number: number): string {
  return number.toLocaleString("en");
}

/** Formats a share of a whole: `12.3%`. For a whole of 0, the result is empty. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return "";
  return (part / whole).toLocaleString("en", { style: "percent", maximumFractionDigits: 1 });
}

/** Formats a length of time: `12 ms`, `1.5 s`, `14 min 58 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 100) / 10} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Formats the moment at which invitations expire. An end at midnight (UTC) is written as the end of the day before, because
 * people misread `1 January at 00:00`.
 */
export function formatExpiry(moment: string): string {
  const lastDay = dayEndingAt(moment);
  return lastDay === undefined ? moment : `the end of ${lastDay} (UTC)`;
}

/** Formats a length of time in the largest unit of which it has at least two: `3 hours`. */
export function formatSpan(seconds: number): string {
  const units = [[86_400, "days"], [3_600, "hours"], [60, "minutes"]] as const;
  const [unitSeconds, unit] = units.find(([unitSeconds]) => seconds >= 2 * unitSeconds) ??
    [1, "seconds"];
  return `${Math.round(seconds / unitSeconds)} ${unit}`;
}

/** Formats a number with the right form of its noun: `1 person`, `1,200 people`. */
export function plural(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`;
}
