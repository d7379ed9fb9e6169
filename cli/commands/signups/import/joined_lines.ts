/**
 * Joins lines of CSV that belong to one row, because a cell within quotes may have line breaks. A line that is a row by
 * itself is never joined, so that a quote which is not closed spoils no other row.
 *
 * @module
 */
import { type Line, MAX_LINE_BYTES } from "../../../../shared/lines.ts";

/** The most characters of a row of several lines. It is the same limit as that of a single line. */
const MAX_ROW = MAX_LINE_BYTES;

type Text = Extract<Line, { text: string }>;

/**
 * Yields the lines in groups. Joined lines become one line with the number of the first. Lines after a quote that is never
 * closed are not joined.
 *
 * @param isRow says whether a text is a whole row by itself
 */
export async function* joinLines(
  groups: AsyncIterable<Line[]> | Iterable<Line[]>,
  isRow: (text: string) => boolean,
): AsyncGenerator<Line[]> {
  /** The lines of a row whose quote is not closed yet. */
  let open: Text[] = [];
  /** The number of characters in the lines of `open`. */
  let length = 0;
  let lines: Line[] = [];

  function beginRow(line: Line): void {
    if (!("text" in line && togglesQuote(line.text))) return void lines.push(line);
    open = [line];
    length = line.text.length;
  }

  function continueRow(line: Line): void {
    const isPart = "text" in line && length + line.text.length < MAX_ROW && !isRow(line.text);
    if (isPart && !togglesQuote(line.text)) {
      open.push(line);
      length += line.text.length;
      return;
    }
    const [first, ...others] = open;
    open = [];
    const texts = isPart ? [first!, ...others, line].map(({ text }) => text).join("\n") : "";
    if (isPart && isRow(texts)) return void lines.push({ ...first!, text: texts });
    // The quote of the first line is never closed, so each of the other lines may begin a row.
    lines.push(first!);
    for (const each of [...others, line]) beginRow(each);
  }

  for await (const group of groups) {
    for (const line of group) {
      if (open.length > 0) continueRow(line);
      else beginRow(line);
    }
    yield lines;
    lines = [];
  }
  yield open;
}

/** Whether a text has an odd number of quotes, so that it opens or closes a cell. Quotes within a cell are doubled. */
function togglesQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
