/**
 * The file of the rows that an import refuses. The page holds the file in a link, because the service stores nothing of
 * an import between two requests. @module
 */
import { Buffer } from "node:buffer";
import { makeRefusedRows } from "../../../shared/import_file/refused_rows.ts";
import type { ImportReport, Refusal } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { SentFile } from "../../http/mod.ts";
import type { PageContext } from "../page_context.ts";
import { bytesOf, formatOf } from "./import_file.ts";
import { nameFieldIn } from "./import_forms.ts";

/** The largest size of the file, in characters. Further refused rows are left out, because the file is in the page. */
const MAX_CHARACTERS = 200_000;

/** The command that writes all refused rows to a file. */
const COMMAND = "waitlist signups import list.csv --refused refused.csv";

/** The rows that an import refuses, as a file in CSV. */
export interface RefusedRowsFile {
  csv: string;
  /** How many rows the file has. */
  rowCount: number;
}

/**
 * Makes the file of the refused rows, with at most {@linkcode MAX_CHARACTERS}. Its reasons name fields as the page does.
 * Its columns have the names of the imported file, so that the corrected file can be imported like the first one.
 *
 * @param refusals the refused rows, with the numbers of their lines
 * @returns `undefined` if no row is refused, and for NDJSON, whose lines have no columns
 */
export async function refusedRowsFile(
  file: SentFile,
  refusals: Refusal[],
  { texts, yieldToCalls }: Pick<PageContext, "texts" | "yieldToCalls">,
): Promise<RefusedRowsFile | undefined> {
  if (refusals.length === 0 || formatOf(file) !== "csv") return undefined;
  const shownRefusals = refusals.map(({ line, reason }) => {
    return { line, reason: nameFieldIn(reason, texts) };
  });
  const refusedRows = await makeRefusedRows(bytesOf(file), shownRefusals);
  if (!refusedRows) return undefined;
  let csv = refusedRows.head;
  let rowCount = 0;
  for await (const lines of refusedRows.groups) {
    for (const line of lines) {
      if (csv.length + line.length > MAX_CHARACTERS) return { csv, rowCount };
      csv += line;
      rowCount++;
    }
    await yieldToCalls();
  }
  return { csv, rowCount };
}

/**
 * The link that downloads the file of the refused rows.
 *
 * @param report.refused how many rows are refused; if the file has fewer rows, the page names the command that writes
 * all of them
 */
export function refusedRowsLink(
  { csv, rowCount }: RefusedRowsFile,
  { refused }: Pick<ImportReport, "refused">,
  { imports: labels, number }: ConsoleTexts,
): Html {
  const isCut = rowCount < refused;
  const cutNote = labels.refusedCut({ count: number(rowCount), whole: number(refused) });
  const base64 = Buffer.from(csv).toString("base64");
  return markup`<p><a class="button" download="refused.csv" href="data:text/csv;charset=utf-8;base64,${base64}">${
    labels.downloadRefused({ count: number(rowCount) })
  }</a></p>
<p class="hint">${labels.refusedHint}</p>
${isCut && markup`<p class="hint">${cutNote} <code>${COMMAND}</code></p>`}`;
}
