/**
 * Joins lines of CSV that belong to one row, because a cell within quotes may have line breaks. A line that is a row by
 * itself is never joined, so that an unclosed quote spoils no other row.
 *
 * @module
 */
import { type Line, MAX_LINE_BYTES } from "../../../../shared/lines.ts";

/** How many characters a row of several lines has at most: as many as a single line. */
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
  const joiner = new LineJoiner(isRow);
  for await (const group of groups) {
    yield group.flatMap((line) => joiner.add(line));
  }
  yield joiner.end();
}

/** Joins lines one after the other. It keeps the lines of a row whose quote is not closed yet. */
class LineJoiner {
  readonly #isRow: (text: string) => boolean;
  #open: Text[] = [];
  /** The number of characters in the lines of the row that is not complete yet. */
  #length = 0;

  constructor(isRow: (text: string) => boolean) {
    this.#isRow = isRow;
  }

  /** Adds a line, and returns the lines that are complete by it. */
  add(line: Line): Line[] {
    return this.#open.length > 0 ? this.#continueRow(line) : this.#beginRow(line);
  }

  /** Returns the lines of a row whose quote is never closed. */
  end(): Line[] {
    return this.#open;
  }

  #beginRow(line: Line): Line[] {
    if (!("text" in line && togglesQuote(line.text))) return [line];
    this.#open = [line];
    this.#length = line.text.length;
    return [];
  }

  #continueRow(line: Line): Line[] {
    const isPart = "text" in line && this.#length + line.text.length < MAX_ROW &&
      !this.#isRow(line.text);
    if (isPart && !togglesQuote(line.text)) {
      this.#open.push(line);
      this.#length += line.text.length;
      return [];
    }
    const [first, ...others] = this.#open;
    this.#open = [];
    const text = isPart ? [first!, ...others, line].map(({ text }) => text).join("\n") : "";
    if (isPart && this.#isRow(text)) return [{ ...first!, text }];
    // The quote of the first line is never closed, so each of the other lines may begin a row.
    return [first!, ...[...others, line].flatMap((each) => this.#beginRow(each))];
  }
}

/** Whether a text opens or closes a cell: it has an odd number of quotes, because quotes within a cell are doubled. */
function togglesQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
