/**
 * The file of the rows that an import refuses, so that somebody can correct these rows and import the file. The console
 * and the CLI both make this file from the imported CSV file. @module
 */
import type { Refusal } from "../operator_schemas.ts";
import { csvOf, escapeCell } from "../signup_formats.ts";
import { readRawRows } from "./csv_rows.ts";
import { REFUSED_ROWS_COLUMNS } from "./names.ts";
import type { Bytes } from "./rows.ts";

/** The byte order mark, which tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Makes the file of the refused rows. It has the columns of the imported file, and {@linkcode REFUSED_ROWS_COLUMNS}.
 *
 * @param bytes the imported CSV file
 * @param refusals the reasons why rows are refused, with the numbers of their lines
 * @returns the first line, and then groups with one text for each refused row; `undefined` if the file has no header
 */
export async function makeRefusedRows(
  bytes: Bytes,
  refusals: Refusal[],
): Promise<{ head: string; groups: AsyncGenerator<string[]> } | undefined> {
  const reasons = new Map<number, string>();
  for (const { line, reason } of refusals) {
    const former = reasons.get(line);
    reasons.set(line, former === undefined ? reason : `${former} ${reason}`);
  }
  const rawRows = await readRawRows(bytes, new Set(reasons.keys()));
  if (!rawRows) return undefined;
  const { names, delimiter, groups } = rawRows;
  // A file that was made here, and is imported after the correction, has the added columns already.
  const addedCount = REFUSED_ROWS_COLUMNS.length;
  const hasAdded = names.slice(-addedCount).join() === REFUSED_ROWS_COLUMNS.join();
  const width = hasAdded ? names.length - addedCount : names.length;
  const toLine = (cells: string[], added: readonly string[]) => {
    const shown = Array.from({ length: width }, (_, index) => escapeCell(cells[index] ?? ""));
    return csvOf([[...shown, ...added]], delimiter);
  };
  async function* makeGroups() {
    for await (const rows of groups) {
      yield rows.map(({ number, cells }) =>
        toLine(cells, [String(number), reasons.get(number) ?? ""])
      );
    }
  }
  return { head: `${BYTE_ORDER_MARK}${toLine(names, REFUSED_ROWS_COLUMNS)}`, groups: makeGroups() };
}
