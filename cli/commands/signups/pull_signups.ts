import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { cutError, isCut, parseLine } from "../../operator/lines.ts";
import { shareOf, type Work } from "../../operator/progress.ts";

/** How far an export has come; enough to go on after a cut. */
export interface Position {
  /** When it began, by the service's clock. */
  startedAt?: string;
  /** The address of the last record. */
  after?: string;
  count: number;
  /** Records that the service has looked at; more than the count where a filter is given. */
  scanned: number;
  /** Records that the service could not read. */
  unreadable?: UnreadableRecord[];
}

/** Records that have arrived, each the JSON of one sign-up, and how far the export has come. */
export interface Pulled {
  records: string[];
  position: Position;
  /** How much of the export is done, from 0 to 1, where that is known. */
  share: number | undefined;
  /** Only with the last records: how many people were erased since the export began. */
  erasedMeanwhile?: number;
}

/** How many cuts in a row, without a record between them, end an export. */
const MAX_CUTS = 5;

/**
 * Gets the list from the service, and goes on by itself after a cut: a restart of the service, or a
 * connection that broke. Memory holds only the records of one batch.
 *
 * @param from where to begin; counts of 0 and nothing else for the whole list
 * @throws {CliError} where the first call fails, or where calls fail again and again
 */
export async function* pullSignups(
  filter: Pick<ExportRequest, "lang" | "state" | "since" | "links">,
  from: Position,
  { client, context, progress }: Work,
): AsyncGenerator<Pulled> {
  const position = { ...from };
  let total: number | undefined;
  const state = () => ({ position: { ...position }, share: shareOf(position.scanned, total) });
  for (let cuts = 0, begun = false;;) {
    const { after, startedAt, scanned } = position;
    const body = { ...filter, ...(after && { after }), ...(startedAt && { startedAt }) };
    try {
      for await (
        const lines of client.lines("exportSignups", { body }, (count) => total = count)
      ) {
        begun = true;
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
      throw cutError("The export ended before it was complete");
    } catch (error) {
      if (!isCut(error) || !begun || ++cuts > MAX_CUTS) throw error;
      progress.note(`waitlist: ${error.message}; going on.`);
      await context.clock.wait(2 ** cuts * 500, new AbortController().signal);
    }
  }
}

/** Adds a record, unless it is known: after a cut, the service names some records again. */
function addOnce(known: UnreadableRecord[] = [], record: UnreadableRecord): UnreadableRecord[] {
  const key = JSON.stringify(record.key);
  return known.some((each) => JSON.stringify(each.key) === key) ? known : [...known, record];
}
