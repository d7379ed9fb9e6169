/**
 * Joins the lines of CSV that are one row, because a cell within quotes holds line breaks, such as a note of several
 * lines. A quote that is not closed must not swallow other rows, so a line that is a row by itself is never joined.
 *
 * @module
 */
import { type Line, MAX_LINE_BYTES } from "../../../../shared/lines.ts";

/** The longest row of several lines, in characters: as long as a line may be. */
const MAX_ROW = MAX_LINE_BYTES;

type Text = Extract<Line, { text: string }>;

/**
 * Gives the lines in groups, and the joined ones as one line with the number of the first. Lines whose quote is never
 * closed stay as they are.
 *
 * @param isRow whether a text has as many cells as the header
 */
export async function* joinLines(
  groups: AsyncIterable<Line[]> | Iterable<Line[]>,
  isRow: (text: string) => boolean,
): AsyncGenerator<Line[]> {
  /** The lines of a row whose quote is still open, and how many characters they have. */
  let open: Text[] = [];
  let length = 0;
  let lines: Line[] = [];

  function begin(line: Line): void {
    if (!("text" in line && togglesQuote(line.text))) return void lines.push(line);
    open = [line];
    length = line.text.length;
  }

  function goOn(line: Line): void {
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
    // The quote of the first line is not closed, so the others may be rows of their own.
    lines.push(first!);
    for (const each of [...others, line]) begin(each);
  }

  for await (const group of groups) {
    for (const line of group) {
      if (open.length > 0) goOn(line);
      else begin(line);
    }
    yield lines;
    lines = [];
  }
  yield open;
}

/** Whether a text opens a quote that it does not close, or closes one: each quote within a cell is doubled. */
function togglesQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
