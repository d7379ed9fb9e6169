/**
 * The file of the rows that an import refuses, so that an operator can correct these rows and import them again. The
 * page holds the file in a link, because the service stores nothing of an import between two requests. @module
 */
import { Buffer } from "node:buffer";
import { readRawRows } from "../../../shared/import_file/csv_rows.ts";
import type { Refusal } from "../../../shared/operator_schemas.ts";
import { csvOf, escapeCell } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { SentFile } from "../../http/mod.ts";
import type { PageContext } from "../page_context.ts";
import { bytesOf, formatOf } from "./import_file.ts";

/** The largest size of the file, in characters. Further refused rows are left out, because the file is in the page. */
const MAX_CHARACTERS = 200_000;

/**
 * The columns that the file has after those of the imported file: the number of the line, and the reason. The console
 * ignores these columns when an operator imports the file again.
 */
const ADDED_COLUMNS = ["refused line", "refused because"];

/** The rows that an import refuses, as a file in CSV. */
export interface RefusedRowsFile {
  csv: string;
  /** How many rows the file has. */
  rowCount: number;
}

/**
 * Makes the file of the refused rows. It has the columns of the imported file, and {@linkcode ADDED_COLUMNS}.
 *
 * @param refusals the refused rows, with the numbers of their lines
 * @returns `undefined` if no row is refused, and for NDJSON, whose lines have no columns
 */
export async function refusedRowsFile(
  file: SentFile,
  refusals: Refusal[],
  { yieldToCalls }: Pick<PageContext, "yieldToCalls">,
): Promise<RefusedRowsFile | undefined> {
  if (refusals.length === 0 || formatOf(file) !== "csv") return undefined;
  const reasons = new Map(refusals.map(({ line, reason }) => [line, reason]));
  const rawRows = await readRawRows(bytesOf(file), new Set(reasons.keys()));
  if (!rawRows) return undefined;
  const { names, delimiter, groups } = rawRows;
  // A file that was downloaded here and is imported again has the added columns already.
  const isAdded = names.slice(-ADDED_COLUMNS.length).join() === ADDED_COLUMNS.join();
  const width = isAdded ? names.length - ADDED_COLUMNS.length : names.length;
  const toLine = (cells: string[], added: string[]) => {
    const shown = Array.from({ length: width }, (_, index) => escapeCell(cells[index] ?? ""));
    return csvOf([[...shown, ...added]], delimiter);
  };
  // The byte order mark tells spreadsheets that the file is UTF-8.
  let csv = `\ufeff${toLine(names, ADDED_COLUMNS)}`;
  let rowCount = 0;
  for await (const rows of groups) {
    for (const { number, cells } of rows) {
      const line = toLine(cells, [String(number), reasons.get(number) ?? ""]);
      if (csv.length + line.length > MAX_CHARACTERS) return { csv, rowCount };
      csv += line;
      rowCount++;
    }
    await yieldToCalls();
  }
  return { csv, rowCount };
}

/** The link that downloads the file of the refused rows. */
export function refusedRowsLink(
  { csv, rowCount }: RefusedRowsFile,
  { imports: labels, number }: ConsoleTexts,
): Html {
  const base64 = Buffer.from(csv).toString("base64");
  return markup`<p><a class="button" download="refused.csv" href="data:text/csv;charset=utf-8;base64,${base64}">${
    labels.downloadRefused({ count: number(rowCount) })
  }</a></p>
<p class="hint">${labels.refusedHint}</p>`;
}
