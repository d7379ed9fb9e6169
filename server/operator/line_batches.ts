/** Reads the lines of a long body in batches. @module */
import { type Line, type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";
import { oneAhead } from "../../shared/one_ahead.ts";

/** The messages about lines that cannot be read. */
export const LINE_FAULT_MESSAGES: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};

/**
 * Makes an item from each line, and gives the items in batches. The next batch is read while the caller works on the
 * present batch.
 * @param size how many items a batch has at most
 * @param read makes the item of a line; it gives `undefined` to leave the line out
 */
export function readBatches<Item>(
  lines: AsyncIterable<Line[]>,
  size: number,
  read: (line: Line) => Item | undefined,
): AsyncGenerator<Item[]> {
  async function* batches(): AsyncGenerator<Item[]> {
    let items: Item[] = [];
    for await (const group of lines) {
      for (const line of group) {
        const item = read(line);
        if (item === undefined || items.push(item) < size) continue;
        yield items;
        items = [];
      }
    }
    yield items;
  }
  return oneAhead(batches());
}
