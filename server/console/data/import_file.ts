/**
 * The file of an import: reads the file into memory, makes digests of the file, and gives its rows to the operation
 * `importSignups`. `import_settings.ts` has the settings by which the file is read, and `import_page.ts` has the page.
 * @module
 */
import { createHash } from "node:crypto";
import {
  fieldsOf,
  leftOutNames,
  type ReadHeader,
  type RefusedHeader,
} from "../../../shared/import_file/columns.ts";
import { readCsvRows } from "../../../shared/import_file/csv_rows.ts";
import { readNdjsonRows } from "../../../shared/import_file/ndjson_rows.ts";
import type { ReadRow, Row, RowRules } from "../../../shared/import_file/rows.ts";
import { inSortedRuns, type Run } from "../../../shared/import_file/sorted_runs.ts";
import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import type { FormatName } from "../../../shared/signup_formats.ts";
import type { SentFile } from "../../http/mod.ts";
import type { PageContext } from "../page_context.ts";
import {
  CHOOSABLE_FIELDS,
  fieldsByColumn,
  type ImportSettings,
  type KnownColumns,
} from "./import_settings.ts";

/** The largest file that the console imports, in bytes. The whole file is in memory while it is imported. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The most rows that the console imports from one file. */
export const MAX_ROWS = 100_000;

/** Returns the SHA-256 of a file in hexadecimal digits. */
export const digestOfFile = ({ bytes }: SentFile): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Returns the format of a file, by the ending of its name. */
export const formatOf = ({ name }: SentFile): FormatName =>
  /\.(ndjson|jsonl)$/i.test(name) ? "ndjson" : "csv";

/**
 * Returns a digest of the content of a file, the format of the file and the settings of the import. If none of these has
 * changed between the try and the import, both have the same digest.
 */
export function digestOfTrial(file: SentFile, { zone, columnsByField }: ImportSettings): string {
  const choices = columnsByField ?? [];
  const text = JSON.stringify([digestOfFile(file), formatOf(file), zone, ...choices]);
  return createHash("sha256").update(text).digest("hex");
}

/**
 * How many of the first rows that can be read are kept for the page, which shows a few of them. More rows are kept than
 * the page shows, because the import may refuse some rows.
 */
const FIRST_ROWS = 25;

/** A file that has been read into memory. */
export interface ImportFile {
  /** The names and the uses of the columns; absent for NDJSON, which has no columns. */
  header?: ReadHeader;
  /** All rows, in sections of the file. Each section (`Run`) has its readable rows in the order of their sign-ups. */
  runs: Run[];
  /** The first rows that can be read, at most {@linkcode FIRST_ROWS}, in the order of the file. */
  firstRows: ReadRow[];
  /** How many rows can be read. */
  readableCount: number;
  /** How many of the readable rows have a day without a time. */
  dayCount: number;
  /** How many rows cannot be read. The operation `importSignups` does not get these rows. */
  unreadableCount: number;
}

/** A file whose import is tried. */
export interface TriedFile extends ImportFile {
  name: string;
  /** The result of {@linkcode digestOfFile}. */
  fileDigest: string;
  /**
   * The result of {@linkcode digestOfTrial}. The form that imports sends this text again, so that the console refuses
   * an import that was not tried.
   */
  trialDigest: string;
  settings: ImportSettings;
  /** Whether the page has guessed the columns of `settings`, and the operator has not seen them yet. */
  isGuessed: boolean;
}

/** Why a file with more than {@linkcode MAX_ROWS} rows is not imported. */
export interface TooManyRows {
  refused: { fault: "too_many_rows" };
}

/**
 * Returns the names of the columns that the form offers again: the columns of the file, and the columns that the
 * operator has chosen. Returns no names if the operator has not chosen columns.
 */
export async function columnsToOffer(
  file: SentFile | undefined,
  { columnsByField }: ImportSettings,
): Promise<string[]> {
  if (!columnsByField) return [];
  const { names } = file ? await readColumnNames(file) : { names: [] };
  return [...names, ...columnsByField.values()].filter((name) => name !== "");
}

/** Reads the names of the columns, and which fields these names mean. NDJSON has no columns. */
export async function readColumnNames(file: SentFile): Promise<KnownColumns> {
  if (formatOf(file) === "ndjson") return { names: [], unknown: [], fields: [] };
  const header = await readCsvRows(bytesOf(file), rulesFor(""));
  if ("refused" in header) return header;
  return { names: header.names, unknown: leftOutNames(header), fields: fieldsOf(header.columns) };
}

/** Yields the bytes of a file. */
export async function* bytesOf({ bytes }: SentFile) {
  yield bytes;
}

/**
 * Returns the rules of an import in which each column holds the field that its name means. A column whose name means no
 * field is ignored.
 */
const rulesFor = (zone: string): RowRules => ({
  map: new Map(),
  ignoreUnknown: true,
  zone: zone === "" ? undefined : zone,
  advice: {
    zone: "give the time zone of the file in the form",
    nameless: "leave the value out",
  },
});

/** Reads a file, or says why it cannot be imported. */
export async function readImportFile(
  file: SentFile,
  settings: ImportSettings,
  { yieldToCalls }: Pick<PageContext, "yieldToCalls">,
): Promise<ImportFile | RefusedHeader | TooManyRows> {
  const source = await openRows(file, settings);
  if ("refused" in source) return source;
  const { header, groups } = source;
  let readableCount = 0;
  let dayCount = 0;
  let unreadableCount = 0;
  const isTooLong = () => readableCount + unreadableCount > MAX_ROWS;
  const firstRows: ReadRow[] = [];
  /**
   * Passes the rows on, counts them, and keeps the first readable rows. Stops after the group that passes the limit.
   */
  async function* groupsUpToLimit() {
    for await (const rows of groups) {
      const readableRows = rows.filter((row) => "json" in row);
      readableCount += readableRows.length;
      dayCount += readableRows.filter(({ hasDay }) => hasDay).length;
      unreadableCount += rows.length - readableRows.length;
      firstRows.push(...readableRows.slice(0, FIRST_ROWS - firstRows.length));
      yield rows;
      if (isTooLong()) return;
    }
  }
  const runs = await Array.fromAsync(inSortedRuns(groupsUpToLimit(), yieldToCalls));
  if (isTooLong()) return { refused: { fault: "too_many_rows" } };
  return { ...header && { header }, runs, firstRows, readableCount, dayCount, unreadableCount };
}

/** The rows of a file, which are read in groups, and the header if the file is CSV. */
interface RowSource {
  header?: ReadHeader;
  groups: AsyncGenerator<Row[]>;
}

/** Begins to read the rows of a file. Says why the header of a CSV file cannot be used. */
async function openRows(
  file: SentFile,
  { zone, columnsByField }: ImportSettings,
): Promise<RowSource | RefusedHeader> {
  const rules = rulesFor(zone);
  if (formatOf(file) === "ndjson") {
    return { groups: readNdjsonRows(bytesOf(file), { ...rules, ignoreUnknown: false }) };
  }
  const chosenColumns = columnsByField &&
    { map: fieldsByColumn(columnsByField), onlyInMap: CHOOSABLE_FIELDS };
  const csv = await readCsvRows(bytesOf(file), { ...rules, ...chosenColumns });
  if ("refused" in csv) return csv;
  return { header: { names: csv.names, columns: csv.columns }, groups: csv.rows };
}

/**
 * Yields the rows that can be read, as groups of lines for the operation `importSignups`.
 * @param groupSize how many lines a group has; the last group can have fewer
 */
export function* linesIn({ runs }: ImportFile, groupSize: number): Generator<Line[]> {
  let group: Line[] = [];
  for (const run of runs) {
    for (const { number, json } of run) {
      group.push({ number, text: json });
      if (group.length < groupSize) continue;
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}

/** The rows that could not be read only because their times have no zone, or are days without a time. */
export interface ZonelessRows {
  /** The fields that hold these times. */
  fields: string[];
  /** The numbers of the lines. */
  lines: number[];
}

/** Finds the rows that can be read as soon as the operator enters a zone. */
export function zonelessRows({ runs }: ImportFile): ZonelessRows {
  const rows = runs.flatMap(({ refused }) => refused)
    .flatMap(({ number, zonelessField }) => zonelessField ? [{ number, zonelessField }] : []);
  return {
    fields: [...new Set(rows.map(({ zonelessField }) => zonelessField))],
    lines: rows.map(({ number }) => number),
  };
}

/** Adds the rows that could not be read to the report of the operation. */
export function withUnreadRows(report: ImportReport, { runs }: ImportFile): ImportReport {
  const unreadRows = runs.flatMap(({ refused }) => refused);
  const refusals = [
    ...report.refusals,
    ...unreadRows.flatMap(({ number, reasons }) =>
      reasons.map((reason) => ({ line: number, reason }))
    ),
  ];
  return {
    ...report,
    refused: report.refused + unreadRows.length,
    refusals: refusals.toSorted((a, b) => a.line - b.line),
  };
}
