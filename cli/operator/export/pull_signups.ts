import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/shapes.ts";
import { CliError } from "../../cli_error.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit_codes.ts";
import type { OperatorClient } from "../client.ts";
import { CutError } from "../lines.ts";
import { type Progress, shareOf } from "../progress.ts";

/** How far an export has come; all that it takes to go on. */
export interface Position {
  /** When it began, by the service's clock. */
  startedAt?: string;
  /** The address of the last record. */
  after?: string;
  count: number;
  /** Records that the service has looked at; more than the count where not all are asked for. */
  scanned: number;
  /** Records that the service could not read. */
  unreadable?: UnreadableRecord[];
}

/** Records as they arrive, each the JSON of one sign-up, and where that leaves the export. */
export interface Pulled {
  records: string[];
  position: Position;
  /** How much of the export is done, from 0 to 1, where that is known. */
  share: number | undefined;
  /** On the last of all: how many people were erased since the export began. */
  erasedMeanwhile?: number;
}

/** Cuts in a row, without a record between them, after which an export is given up. */
const MAX_CUTS = 5;

/**
 * Pulls the list out of the service, and goes on by itself after a cut: a restart of the service, or
 * a connection that broke. Memory holds what is on its way and nothing more.
 *
 * @param from where to begin; counts of 0 and nothing else for the whole list
 * @throws {CliError} for a first call that fails, and for what goes on failing
 */
export async function* pullSignups(
  filter: Pick<ExportRequest, "lang" | "since">,
  from: Position,
  { client, context, progress }: {
    client: OperatorClient;
    context: Context;
    progress: Progress;
  },
): AsyncGenerator<Pulled> {
  const position = { ...from };
  let total: number | undefined;
  const state = () => ({ position: { ...position }, share: shareOf(position.scanned, total) });
  for (let cuts = 0, begun = false;;) {
    const { after, startedAt, scanned } = position;
    const body = { ...filter, ...(after && { after }), ...(startedAt && { startedAt }) };
    try {
      const path = "/operator/v1/signups/export";
      for await (const lines of client.lines(path, body, (count) => total = count)) {
        begun = true;
        const records: string[] = [];
        for (const line of lines) {
          const value = parse(line);
          if (typeof value.email === "string") {
            records.push(line);
            position.after = value.email;
            position.scanned++;
          } else if (typeof value.startedAt === "string") position.startedAt ??= value.startedAt;
          else if (typeof value.scanned === "number") position.scanned = scanned + value.scanned;
          else if (isObject(value.unreadable)) {
            position.unreadable = addOnce(
              position.unreadable,
              value.unreadable as UnreadableRecord,
            );
          } else if (value.complete === true) {
            position.count += records.length;
            const erasedMeanwhile = Number(value.erasedMeanwhile);
            return yield { records, ...state(), erasedMeanwhile };
          }
        }
        position.count += records.length;
        if (records.length > 0) cuts = 0;
        yield { records, ...state() };
      }
      throw new CutError("The export ended before it was complete");
    } catch (error) {
      if (!(error instanceof CutError) || !begun || ++cuts > MAX_CUTS) throw error;
      progress.note(`waitlist: ${error.message}; going on.`);
      await context.clock.wait(2 ** cuts * 500, new AbortController().signal);
    }
  }
}

/** After a cut, records that were named behind the last whole one are named again. */
function addOnce(known: UnreadableRecord[] = [], record: UnreadableRecord): UnreadableRecord[] {
  const key = JSON.stringify(record.key);
  return known.some((each) => JSON.stringify(each.key) === key) ? known : [...known, record];
}

function parse(line: string): Record<string, unknown> {
  try {
    const value = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new CliError(
    "The service sent a line that is no record; check --base-url",
    EXIT.failedCheck,
  );
}
