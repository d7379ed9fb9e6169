/**
 * Imports: a file's rows are sent in chunks, each of which can be sent again without harm.
 *
 * @module
 */
import type { ImportReport, Refusal } from "../../../shared/operator_schemas.ts";
import { formatShare } from "../../output/share.ts";
import { type Chunk, inChunks, sendingLines } from "../chunks.ts";
import type { OperatorClient } from "../client.ts";
import type { OperatorSession } from "../command.ts";
import { openInput } from "../input_file.ts";
import { createProgress } from "../progress.ts";
import { retrying } from "../retrying.ts";
import { IMPORT_REPORT } from "../shapes.ts";
import { readCsvRows } from "./csv_rows.ts";
import { readNdjsonRows } from "./ndjson_rows.ts";
import type { ImportFormat, Row } from "./rows.ts";

/** What to import. */
export interface ImportOptions {
  path: string;
  format: ImportFormat;
  dryRun: boolean;
}

const READERS = { csv: readCsvRows, ndjson: readNdjsonRows };

/** Refused lines that are kept for `--json`; more are counted. */
const MAX_REFUSALS = 10_000;

/**
 * Imports a file. Each refused line is told as it comes, but for `--json`, whose summary has them.
 *
 * @returns the sums of all answers, with the lines' numbers in the file
 */
export async function importFile(
  { path, format, dryRun }: ImportOptions,
  { context, settings, client }: OperatorSession & { client: OperatorClient },
): Promise<ImportReport> {
  const file = await openInput(path, context);
  const progress = createProgress(context, settings);
  const total: ImportReport = { new: 0, merged: 0, unchanged: 0, refused: 0, refusals: [] };
  let bytesRead = 0;

  function refuse({ line, reason }: Refusal): void {
    if (settings.json) {
      if (total.refusals.length < MAX_REFUSALS) total.refusals.push({ line, reason });
    } else progress.note(`Line ${line}: ${reason}`);
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const bytes of file.read()) {
      yield bytes;
      bytesRead += bytes.byteLength;
    }
  }

  async function* sendable(rows: AsyncIterable<Row[]>) {
    for await (const group of rows) {
      const good = [];
      for (const row of group) {
        if ("json" in row) good.push(row);
        else {
          total.refused++;
          refuse({ line: row.number, reason: row.reason });
        }
      }
      yield good;
    }
  }

  async function send(chunk: Chunk): Promise<void> {
    const report = await retrying(() =>
      client.read(
        IMPORT_REPORT,
        client.http.POST("/operator/v1/signups/import", {
          params: { query: { dryRun } },
          ...sendingLines(chunk),
        }),
      ), context);
    for (const key of ["new", "merged", "unchanged", "refused"] as const) total[key] += report[key];
    for (const { line, reason } of report.refusals) {
      refuse({ line: chunk.numbers[line - 1] ?? line, reason });
    }
    const taken = total.new + total.merged + total.unchanged;
    progress.show(`${taken.toLocaleString("en")} sign-ups, ${formatShare(bytesRead, file.size)}`);
  }

  const chunks = inChunks(sendable(READERS[format](read())));
  let next = await chunks.next();
  while (!next.done) {
    // The next chunk is read while the service stores this one.
    [next] = await Promise.all([chunks.next(), send(next.value)]);
  }
  progress.end();
  return total;
}
