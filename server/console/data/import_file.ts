/**
 * Reads the file of an import into memory, by the settings that the operator has chosen, and makes the digest of the
 * file. `import_page.ts` serves the page. @module
 */
import { createHash } from "node:crypto";
import { CAMPAIGN_FIELDS } from "../../../shared/campaigns.ts";
import type { ReadHeader, RefusedHeader } from "../../../shared/import_file/columns.ts";
import { readCsvRows } from "../../../shared/import_file/csv_rows.ts";
import { NAMED_FIELDS, plainName } from "../../../shared/import_file/names.ts";
import { readNdjsonRows } from "../../../shared/import_file/ndjson_rows.ts";
import { proposeFields } from "../../../shared/import_file/proposal.ts";
import type { Row, RowRules } from "../../../shared/import_file/rows.ts";
import { inSortedRuns, type Run } from "../../../shared/import_file/sorted_runs.ts";
import { trimInvisible } from "../../../shared/invisible.ts";
import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import type { FormatName } from "../../../shared/signup_formats.ts";
import type { SentFile } from "../../http/mod.ts";
import type { FieldValues, SentFields } from "../forms.ts";
import type { PageContext } from "../page_context.ts";

/** The largest file that the console imports, in bytes. The whole file is in memory while it is imported. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The most rows that the console imports from one file. */
export const MAX_ROWS = 100_000;

/**
 * The fields for which the operator can choose a column. Any other field is read from the column whose name means the
 * field.
 */
export const CHOSEN_FIELDS = [
  "email",
  "consentedAt",
  "createdAt",
  "lang",
  "role",
  "building",
  ...CAMPAIGN_FIELDS,
  "note",
] as const;

/** The settings of an import. */
export interface ImportSettings {
  /** The IANA name of the zone for times without a zone. If it is empty, rows with such times cannot be read. */
  zone: string;
  /**
   * The name of the column for each field; empty for a field that no column holds. Absent if the operator has not
   * chosen columns; each column then holds the field that its name means.
   */
  columns?: ReadonlyMap<string, string>;
}

/** Returns the name of the menu with which the operator chooses the column of a field. */
export const columnMenu = (field: string): string => `column_${field}`;

/** Reads the settings from a form. */
export function settingsIn(form: SentFields): ImportSettings {
  const zone = (form.get("zone") ?? "").trim();
  if (!CHOSEN_FIELDS.some((field) => form.has(columnMenu(field)))) return { zone };
  const columns = CHOSEN_FIELDS.map((field) => [field, form.get(columnMenu(field)) ?? ""] as const);
  return { zone, columns: new Map(columns) };
}

/** Returns a column that is chosen for several fields; `undefined` if there is no such column. */
export function columnChosenTwice({ columns = new Map() }: ImportSettings): string | undefined {
  const chosen = [...columns.values()].filter((column) => column !== "").map(trimInvisible);
  return chosen.find((column, index) => chosen.indexOf(column) !== index);
}

/** Returns the settings as hidden fields of a form. */
export function fieldsOfSettings({ zone, columns = new Map() }: ImportSettings): FieldValues {
  const chosen = Array.from(columns, ([field, column]) => [columnMenu(field), column]);
  return { zone, ...Object.fromEntries(chosen) };
}

/** Returns the SHA-256 of a file in hexadecimal digits. */
export const fileDigest = ({ bytes }: SentFile): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Returns the format of a file, by the ending of its name. */
const formatOf = ({ name }: SentFile): FormatName =>
  /\.(ndjson|jsonl)$/i.test(name) ? "ndjson" : "csv";

/**
 * Returns a digest of the content of a file, the format of the file and the settings of the import. If none of these has
 * changed between the try and the import, both have the same digest.
 */
export function trialDigest(file: SentFile, { zone, columns }: ImportSettings): string {
  const text = JSON.stringify([fileDigest(file), formatOf(file), zone, ...columns ?? []]);
  return createHash("sha256").update(text).digest("hex");
}

/** A row that can be read. */
export type ReadRow = Extract<Row, { json: string }>;

/**
 * How many of the first rows that can be read are kept for the page, which shows a few of them. More rows are kept than
 * the page shows, because the import may refuse some rows.
 */
const FIRST_ROWS = 25;

/** A file that has been read into memory. */
export interface ImportFile {
  /** The names and the uses of the columns; absent for NDJSON, which has no columns. */
  header?: ReadHeader;
  /** All rows, in sections of the file. Each section (`Run`) has its readable rows sorted by address. */
  runs: Run[];
  /** The first rows that can be read, at most {@linkcode FIRST_ROWS}, in the order of the file. */
  first: ReadRow[];
  /** How many rows can be read. */
  count: number;
}

/**
 * Returns the names of the columns that the form offers again: the columns of the file, and the columns that the
 * operator has chosen. Returns none if the operator has not chosen columns.
 */
export async function columnsToOffer(
  file: SentFile | undefined,
  { columns }: ImportSettings,
): Promise<string[]> {
  if (!columns) return [];
  const isCsv = file && formatOf(file) === "csv";
  const { names } = isCsv ? await readCsvRows(bytesOf(file), rulesFor("")) : { names: [] };
  return [...names, ...columns.values()].filter((name) => name !== "");
}

async function* bytesOf({ bytes }: SentFile) {
  yield bytes;
}

/**
 * Returns the rules of an import in which each column holds the field that its name means. Other columns are ignored.
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
  { zone, columns }: ImportSettings,
  { yieldToCalls }: Pick<PageContext, "yieldToCalls">,
): Promise<ImportFile | RefusedHeader | { refused: { fault: "too_many_rows" } }> {
  const rules = rulesFor(zone);
  let header: ReadHeader | undefined;
  let groups: AsyncGenerator<Row[]>;
  if (formatOf(file) === "ndjson") {
    groups = readNdjsonRows(bytesOf(file), { ...rules, ignoreUnknown: false });
  } else {
    const chosen = columns && { map: fieldsByColumn(columns), onlyInMap: CHOSEN_FIELDS };
    const opened = await readCsvRows(bytesOf(file), { ...rules, ...chosen });
    if ("refused" in opened) return opened;
    header = { names: opened.names, columns: opened.columns };
    groups = opened.rows;
  }
  let rowCount = 0;
  const first: ReadRow[] = [];
  async function* countRows() {
    for await (const rows of groups) {
      rowCount += rows.length;
      const room = FIRST_ROWS - first.length;
      if (room > 0) first.push(...rows.filter((row) => "json" in row).slice(0, room));
      yield rows;
      if (rowCount > MAX_ROWS) return;
    }
  }
  const runs = await Array.fromAsync(inSortedRuns(countRows(), yieldToCalls));
  if (rowCount > MAX_ROWS) return { refused: { fault: "too_many_rows" } };
  const refused = runs.reduce((sum, run) => sum + run.refused.length, 0);
  return { ...header && { header }, runs, first, count: rowCount - refused };
}

/**
 * Chooses columns for fields after a header was refused. A choice of the operator stays, also the choice of no column.
 * For every other field, proposes a column whose name fits the field.
 */
export function proposedColumns(
  { names, unknown, fields }: RefusedHeader,
  { columns = new Map() }: ImportSettings,
): Map<string, string> {
  const byName = names.flatMap((name) => {
    const field = NAMED_FIELDS.get(plainName(name));
    return field !== undefined && fields.includes(field) ? [[field, name] as const] : [];
  });
  const proposed = proposeFields(unknown, fields)
    .map(({ field, column }) => [field, column] as const);
  return new Map([...byName, ...proposed, ...columns]);
}

/** Returns a map from the name of each chosen column to the field that the column holds. */
function fieldsByColumn(columns: ReadonlyMap<string, string>): Map<string, string> {
  const chosen = [...columns].filter(([, column]) => column !== "");
  return new Map(chosen.map(([field, column]) => [trimInvisible(column), field]));
}

/**
 * Yields the rows that can be read, as groups of lines for the operation `importSignups`.
 * @param groupSize how many lines a group has; the last group can have fewer
 */
export function* linesIn({ runs }: ImportFile, groupSize: number): Generator<Line[]> {
  let group: Line[] = [];
  for (const run of runs) {
    for (const { number, json } of run) {
      if (group.push({ number, text: json }) < groupSize) continue;
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}

/** Adds the rows that could not be read to the report of the operation. */
export function withUnreadRows(report: ImportReport, { runs }: ImportFile): ImportReport {
  const unread = runs.flatMap(({ refused }) => refused);
  const refusals = [
    ...report.refusals,
    ...unread.map(({ number, reason }) => ({ line: number, reason })),
  ];
  return {
    ...report,
    refused: report.refused + unread.length,
    refusals: refusals.toSorted((a, b) => a.line - b.line),
  };
}
