/**
 * Gets the sign-ups of an export from the service, and continues after a cut.
 *
 * @module
 */
import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import type { OperatorClient } from "../../operator/client.ts";
import { cutError, isCut } from "../../operator/cuts.ts";
import { parseLine } from "../../operator/ndjson.ts";
import { shareOf } from "../../operator/progress.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";

/** Which people an export holds, and whether it holds the links to their self-service pages. */
export type ExportFilter = Omit<ExportRequest, "after" | "startedAt">;

/** How far an export has come. A later call can continue from here. */
export interface ExportPosition {
  /** The beginning of the export, a date-time of the service's clock. */
  startedAt?: string;
  /** The address of the last record. */
  after?: string;
  /** The number of records that have arrived. */
  count: number;
  /** The number of records that the service has looked at. With a filter, it can be greater than `count`. */
  scanned: number;
  /** The records that the service could not read. */
  unreadable?: UnreadableRecord[];
}

/** The records that arrived from the network together, and how far the export has come with them. */
export interface PulledRecords {
  /** The JSON of each sign-up. */
  records: string[];
  /** The position in the export behind the last of `records`. */
  position: ExportPosition;
  /** The share of the export that is done, from 0 to 1; `undefined` if it is not known. */
  share: number | undefined;
  /**
   * The number of people who were erased since the beginning of the export. It is known only at the end of the export.
   */
  erasedMeanwhile?: number;
}

/**
 * How many calls in a row may be cut without bringing a record. After one more such call, the export ends with an
 * error.
 */
const MAX_CUTS = 5;

/** The pause after the first cut, in milliseconds. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 1_000;

/**
 * Yields the sign-ups of an export as they arrive. It keeps only the yielded records in memory. After a cut, it calls
 * the service again, from the last record on.
 *
 * @param from the position at which to begin. At the beginning of the list, the numbers of the position are 0, and the
 * position has no other members.
 * @throws {CliError} if the first call fails, if a later call fails in another way than by a cut, or if too many calls
 * are cut
 */
export async function* pullSignups(
  filter: ExportFilter,
  from: ExportPosition,
  { client, context, progress }: WorkTools,
): AsyncGenerator<PulledRecords> {
  let position = from;
  let hasBegun = false;
  /** How many calls were cut since the last record. */
  let cutCount = 0;
  while (true) {
    try {
      for await (const pulled of pullUntilCut(filter, position, client)) {
        hasBegun = true;
        if (pulled.records.length > 0) cutCount = 0;
        position = pulled.position;
        yield pulled;
        if (pulled.erasedMeanwhile !== undefined) return;
      }
      throw cutError("The service sent only a part of the list; run the command again");
    } catch (error) {
      cutCount++;
      if (!isCut(error) || !hasBegun || cutCount > MAX_CUTS) throw error;
      progress.note(`waitlist: ${error.fault}; the export continues.`);
      const pause = FIRST_PAUSE_MS * 2 ** (cutCount - 1);
      await context.clock.wait(pause, new AbortController().signal);
    }
  }
}

/** Yields the sign-ups that one call brings, until the export is complete or the answer is cut. */
async function* pullUntilCut(
  filter: ExportFilter,
  from: ExportPosition,
  client: OperatorClient,
): AsyncGenerator<PulledRecords> {
  const { after, startedAt } = from;
  const body = { ...filter, ...after && { after }, ...startedAt && { startedAt } };
  let position = from;
  let total: number | undefined;
  for await (const lines of client.lines("exportSignups", { body }, (count) => total = count)) {
    const records: string[] = [];
    let erasedMeanwhile: number | undefined;
    position = { ...position };
    for (const json of lines) {
      // The lines of an export are not compared with the OpenAPI document, because that would take too long.
      const line = parseLine(json);
      if (typeof line.email === "string") {
        records.push(json);
        position.after = line.email;
        position.count++;
        position.scanned++;
      } else if (typeof line.startedAt === "string") {
        position.startedAt ??= line.startedAt;
      } else if (typeof line.scanned === "number") {
        position.scanned = from.scanned + line.scanned;
      } else if (isObject(line.unreadable)) {
        position.unreadable = addOnce(position.unreadable, line.unreadable as UnreadableRecord);
      } else if (line.complete === true) {
        erasedMeanwhile = Number(line.erasedMeanwhile);
      }
    }
    yield {
      records,
      position,
      share: shareOf(position.scanned, total),
      ...erasedMeanwhile !== undefined && { erasedMeanwhile },
    };
  }
}

/** Adds an unreadable record, unless it was added before. After a cut, the service may name the same record again. */
function addOnce(known: UnreadableRecord[] = [], record: UnreadableRecord): UnreadableRecord[] {
  const key = JSON.stringify(record.key);
  return known.some((other) => JSON.stringify(other.key) === key) ? known : [...known, record];
}
