/**
 * Joins lines of CSV that belong to one row, because a cell within quotes may have line breaks. A line that is a row by
 * itself is never joined, so that an unclosed quote spoils no other row.
 *
 * @module
 */
import { type Line, MAX_LINE_BYTES } from "../../../../shared/lines.ts";

/** The longest row of several lines, in characters. The number is the same as the limit of a single line in bytes. */
const MAX_ROW_LENGTH = MAX_LINE_BYTES;

type TextLine = Extract<Line, { text: string }>;

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

/** Joins lines one after the other. */
class LineJoiner {
  readonly #isRow: (text: string) => boolean;
  /** The lines of a row whose quote is not closed yet. */
  #openLines: TextLine[] = [];
  /** The number of characters in these lines. */
  #openLength = 0;

  constructor(isRow: (text: string) => boolean) {
    this.#isRow = isRow;
  }

  /** Adds a line, and returns the lines that are complete by it. */
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

  /** Returns the lines of a row whose quote is never closed. */
  end(): Line[] {
    return this.#openLines;
  }

  #mayContinueRow(line: Line): line is TextLine {
    return this.#openLines.length > 0 && "text" in line &&
      this.#openLength + line.text.length < MAX_ROW_LENGTH && !this.#isRow(line.text);
  }

  /**
   * Begins a row with a line, and returns the lines that are complete. The open lines are among them, each as a line of
   * its own, because their quote is never closed.
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

/** Joins lines to one line with the number of the first. */
function joinTexts(lines: TextLine[]): TextLine {
  return { number: lines[0]!.number, text: lines.map(({ text }) => text).join("\n") };
}

/** Whether a text opens or closes a cell: it has an odd number of quotes, because quotes within a cell are doubled. */
function togglesQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
