/**
 * Imports: a file's rows are sent in chunks, each of which can be sent again without harm.
 *
 * @module
 */
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { type Chunk, inChunks, sendingLines } from "../chunks.ts";
import type { OperatorClient } from "../client.ts";
import type { OperatorSession } from "../command.ts";
import { openInput } from "../input_file.ts";
import { oneAhead } from "../one_ahead.ts";
import { createProgress } from "../progress.ts";
import { retrying } from "../retrying.ts";
import { IMPORT_REPORT } from "../shapes.ts";
import { readCsvRows } from "./csv_rows.ts";
import { readNdjsonRows } from "./ndjson_rows.ts";
import { ImportTally } from "./import_tally.ts";
import type { ImportFormat, Row } from "./rows.ts";
import { inSortedRuns } from "./sorted_runs.ts";

/** What to import. */
export interface ImportOptions {
  path: string;
  format: ImportFormat;
  dryRun: boolean;
}

const READERS = { csv: readCsvRows, ndjson: readNdjsonRows };

/**
 * Imports a file. Refused lines are told as they come, some thousands at a time and in their order; for
 * `--json`, the summary has them.
 *
 * @returns the sums of all answers, with the lines' numbers in the file
 */
export async function importFile(
  { path, format, dryRun }: ImportOptions,
  { context, settings, client }: OperatorSession & { client: OperatorClient },
): Promise<ImportReport> {
  const file = await openInput(path, context);
  using progress = createProgress(context, settings);
  const tally = new ImportTally();
  let rowsRead = 0;

  async function* readRows(): AsyncGenerator<Row[]> {
    for await (const rows of READERS[format](file.read())) {
      rowsRead += rows.length;
      yield rows;
    }
  }

  /**
   * How much is done: of the rows that have been read, times how much of the file they are. Rows are read
   * some thousands ahead of what is sent.
   */
  function share(): number {
    const done = tally.taken + tally.total.refused;
    return done / rowsRead * file.position() / file.size;
  }

  async function send(chunk: Chunk): Promise<void> {
    const report = await retrying(() =>
      client.read(
        IMPORT_REPORT,
        client.http.POST("/operator/v1/signups/import", {
          params: { query: { dryRun } },
          ...sendingLines(chunk),
        }),
      ), { ...context, progress });
    tally.add(report, chunk.numbers);
    progress.show(`${tally.taken.toLocaleString("en")} sign-ups`, share());
  }

  for await (const run of oneAhead(inSortedRuns(readRows()))) {
    for (const { number, reason } of run.refused) tally.refuse(number, reason);
    for await (const chunk of inChunks([run])) await send(chunk);
    const refusals = tally.takeRefusals();
    if (settings.json) tally.keep(refusals);
    else for (const { line, reason } of refusals) progress.note(`Line ${line}: ${reason}`);
  }
  return tally.total;
}
