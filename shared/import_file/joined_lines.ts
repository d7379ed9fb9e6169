/**
 * Joins lines of CSV that belong to one row, because a cell within quotes may have line breaks. A line that is a row by
 * itself is never joined, so that an unclosed quote spoils no other row.
 *
 * @module
 */
import { type Line, MAX_LINE_BYTES } from "../lines.ts";

/**
 * The longest row that is joined from several lines, in characters. The number is the same as the limit of a single
 * line in bytes.
 */
const MAX_ROW_LENGTH = MAX_LINE_BYTES;

type TextLine = Extract<Line, { text: string }>;

/**
 * Yields the lines in groups. Lines that belong to one row become a single line, which has the number of the first of
 * these lines. Lines after a quote that is never closed are not joined.
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

/** Receives lines one after the other, and joins the lines that belong to one row. */
class LineJoiner {
  readonly #isRow: (text: string) => boolean;
  /** The lines of a row whose quote is not closed yet. */
  #openLines: TextLine[] = [];
  /** The number of characters in `#openLines`. */
  #openLength = 0;

  constructor(isRow: (text: string) => boolean) {
    this.#isRow = isRow;
  }

  /** Adds a line. Returns the lines that can be yielded now, which may be none. */
  add(line: Line): Line[] {
    if (!this.#mayContinueRow(line)) return this.#beginRow(line);
    if (!togglesQuote(line.text)) {
      this.#openLines.push(line);
      this.#openLength += line.text.length;
      return [];
    }
    const row = joinTexts([...this.#openLines, line]);
    if (!this.#isRow(row.text)) return this.#beginRow(line);
    this.#openLines = [];
    return [row];
  }

  /** Ends the file. Returns the lines whose quote is not closed, each as a line by itself. */
  end(): Line[] {
    return this.#openLines;
  }

  #mayContinueRow(line: Line): line is TextLine {
    return this.#openLines.length > 0 && "text" in line &&
      this.#openLength + line.text.length < MAX_ROW_LENGTH && !this.#isRow(line.text);
  }

  /**
   * Begins a row with a line, and returns the lines that can be yielded now. The lines of `#openLines` are among them,
   * each as a line by itself, because their quote is never closed.
   */
  #beginRow(line: Line): Line[] {
    const unclosed = this.#openLines;
    if ("text" in line && togglesQuote(line.text)) {
      this.#openLines = [line];
      this.#openLength = line.text.length;
      return unclosed;
    }
    this.#openLines = [];
    return [...unclosed, line];
  }
}

/** Joins lines to a single line, which has the number of the first line. */
function joinTexts(lines: TextLine[]): TextLine {
  return { number: lines[0]!.number, text: lines.map(({ text }) => text).join("\n") };
}

/** Whether a text opens or closes a cell: it has an odd number of quotes, because quotes within a cell are doubled. */
function togglesQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
