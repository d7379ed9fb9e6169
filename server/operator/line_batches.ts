/**
 * What an import and a restore share: reading the lines of a long body in batches, and the messages about lines that
 * cannot be read. @module
 */
import { type Line, type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";
import { oneAhead } from "../../shared/one_ahead.ts";
import type { YieldToCalls } from "../runtime/mod.ts";

/**
 * How many items, each from one line, an import or a restore stores together at most. The store sorts the people of a
 * batch by their dates of consent. In a large batch, people with close dates therefore share a commit, which then
 * changes fewer counters. But a larger batch needs more memory, and if the process is killed, the audit entry can lack
 * the counts of one batch.
 */
export const MAX_ITEMS_IN_BATCH = 2_500;

/** How many lines are read between two pauses. In a pause, waiting API calls go first. */
const LINES_BETWEEN_PAUSES = 100;

/** The messages about lines that cannot be read. */
export const LINE_FAULT_MESSAGES: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};

/** What {@linkcode readBatches} needs besides the lines. */
interface BatchOptions<Item> {
  /** Makes the item of a line; gives `undefined` to leave the line out. */
  toItem: (line: Line) => Item | undefined;
  /** Lets API calls go first while many lines are read. */
  yieldToCalls: YieldToCalls;
  /** How many items a batch has at most. By default, {@linkcode MAX_ITEMS_IN_BATCH}. */
  maxItems?: number;
}

/**
 * Makes an item from each line, and gives the items in batches. The next batch is read while the caller works on the
 * present batch. The last batch can be empty.
 */
export function readBatches<Item>(
  lines: AsyncIterable<Line[]>,
  { toItem, yieldToCalls, maxItems = MAX_ITEMS_IN_BATCH }: BatchOptions<Item>,
): AsyncGenerator<Item[]> {
  async function* batches(): AsyncGenerator<Item[]> {
    let batch: Item[] = [];
    let readCount = 0;
    for await (const group of lines) {
      for (const line of group) {
        readCount++;
        if (readCount % LINES_BETWEEN_PAUSES === 0) await yieldToCalls();
        const item = toItem(line);
        if (item !== undefined) batch.push(item);
        if (batch.length === maxItems) {
          yield batch;
          batch = [];
        }
      }
    }
    yield batch;
  }
  return oneAhead(batches());
}
