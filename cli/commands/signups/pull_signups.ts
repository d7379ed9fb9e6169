/**
 * Gets the sign-ups of an export from the service, and continues after a cut.
 *
 * @module
 */
import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { cutError, isCut } from "../../operator/cuts.ts";
import { parseLine } from "../../operator/ndjson.ts";
import { shareOf, type Work } from "../../operator/progress.ts";

/** How far an export has come. A later call can continue from here. */
export interface Position {
  /** The beginning of the export, a date-time of the service's clock. */
  startedAt?: string;
  /** The address of the last record. */
  after?: string;
  /** The number of records that have arrived. */
  count: number;
  /** The number of records that the service has looked at. With a filter, it is greater than `count`. */
  scanned: number;
  /** The records that the service could not read. */
  unreadable?: UnreadableRecord[];
}

/** The records of one part of the export, as the network brought them. */
export interface Pulled {
  /** The JSON of each sign-up. */
  records: string[];
  /** The position in the export behind the last of `records`. */
  position: Position;
  /** The share of the export that is done, from 0 to 1; `undefined` if it is not known. */
  share: number | undefined;
  /** The number of people who were erased since the beginning of the export. Only the last records have it. */
  erasedMeanwhile?: number;
}

/**
 * How many cuts in a row, without a record between them, are allowed. After one more cut, the export ends with an
 * error.
 */
const MAX_CUTS = 5;

/**
 * Yields the sign-ups of an export as they arrive. It keeps only the yielded records in memory.
 *
 * @param from the position at which to begin; with counts of 0 and no other member, the beginning of the list
 * @throws {CliError} if the first call fails, or if too many calls are cut
 */
export async function* pullSignups(
  filter: Pick<ExportRequest, "lang" | "state" | "since" | "links">,
  from: Position,
  { client, context, progress }: Work,
): AsyncGenerator<Pulled> {
  const position = { ...from };
  let total: number | undefined;
  const state = () => ({ position: { ...position }, share: shareOf(position.scanned, total) });
  let cuts = 0;
  let hasBegun = false;
  while (true) {
    const { after, startedAt, scanned } = position;
    const body = { ...filter, ...(after && { after }), ...(startedAt && { startedAt }) };
    try {
      const groups = client.lines("exportSignups", { body }, (count) => total = count);
      for await (const lines of groups) {
        hasBegun = true;
        const records: string[] = [];
        for (const line of lines) {
          const value = parseLine(line);
          if (typeof value.email === "string") {
            records.push(line);
            position.after = value.email;
            position.scanned++;
          } else if (typeof value.startedAt === "string") position.startedAt ??= value.startedAt;
          else if (typeof value.scanned === "number") position.scanned = scanned + value.scanned;
          else if (isObject(value.unreadable)) {
            const record = value.unreadable as UnreadableRecord;
            position.unreadable = addOnce(position.unreadable, record);
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
      throw cutError("The export ended before it was complete; run the command again");
    } catch (error) {
      if (!isCut(error) || !hasBegun || ++cuts > MAX_CUTS) throw error;
      progress.note(`waitlist: ${error.message}; continuing.`);
      await context.clock.wait(2 ** cuts * 500, new AbortController().signal);
    }
  }
}

/** Adds an unreadable record, unless it is known: after a cut, the service may name the same record again. */
function addOnce(known: UnreadableRecord[] = [], record: UnreadableRecord): UnreadableRecord[] {
  const key = JSON.stringify(record.key);
  return known.some((each) => JSON.stringify(each.key) === key) ? known : [...known, record];
}
