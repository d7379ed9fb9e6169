/**
 * Reads a stream of bytes line by line, in memory that does not grow with the stream.
 *
 * @module
 */

/** The longest line of a streamed file or body, in bytes: 64 KB. */
export const MAX_LINE_BYTES = 65_536;

/** A line without its line end, or the reason why the line could not be read. `number` counts from 1. */
export type Line =
  | { number: number; text: string }
  | { number: number; fault: LineFault };

/** Why a line could not be read: the line is longer than the limit, or is not UTF-8. */
export type LineFault = "too_long" | "not_utf8";

/** What is wrong with a line that cannot be read, as the end of a sentence whose subject is the line. */
export const LINE_FAULTS: Record<LineFault, string> = {
  too_long: "is longer than 64 KB",
  not_utf8: "is not UTF-8 text",
};

const LF = 0x0a;

/**
 * How many bytes around the text of a line do not count towards its length: a byte order mark (3 bytes) and a CR (1
 * byte).
 */
const EXTRA_BYTES = 4;

/** How many bytes of UTF-8 a UTF-16 code unit needs at most. */
const BYTES_PER_UNIT = 3;

// The decoder keeps byte order marks. `lineOf()` drops a mark before the first line; any other mark belongs to the
// text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Splits a stream into lines that end with LF or CRLF. It yields arrays of lines, because one promise for each line would
 * be slow. A byte order mark before the first line is dropped. The last line may have no line end.
 *
 * @param maxBytes the longest line, in bytes; a longer one gets the fault `too_long`
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line[]> {
  /** The number of the next line. */
  let number = 1;
  const unfinished = new UnfinishedLine(maxBytes);

  for await (const chunk of inPieces(stream)) {
    const lastEnd = chunk.lastIndexOf(LF);
    if (lastEnd < 0) {
      unfinished.add(chunk);
      continue;
    }
    // The unfinished line ends in this chunk.
    let lines: Line[] = [];
    let start = 0;
    if (unfinished.isTooLong) {
      lines = [{ number, fault: "too_long" }];
      // Skips the rest of the line.
      start = chunk.indexOf(LF) + 1;
    }
    if (start <= lastEnd) {
      const block = concat(unfinished.bytes, chunk.subarray(start, lastEnd));
      lines = [...lines, ...splitBlock(block, number + lines.length, maxBytes)];
    }
    number += lines.length;
    unfinished.begin(chunk.subarray(lastEnd + 1));
    yield lines;
  }
  if (unfinished.isTooLong) yield [{ number, fault: "too_long" }];
  else if (unfinished.bytes.length > 0) yield splitBlock(unfinished.bytes, number, maxBytes);
}

/**
 * The beginning of a line whose end has not arrived yet. The bytes are copied, because a chunk may be much larger than
 * this beginning. Each further chunk without a line end copies the bytes again, which costs little, because a line has
 * few bytes.
 */
class UnfinishedLine {
  readonly #maxBytes: number;
  /** The bytes that have arrived; empty if the line is too long. */
  bytes: Uint8Array = new Uint8Array();
  isTooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins the next line. */
  begin(bytes: Uint8Array): void {
    this.bytes = new Uint8Array();
    this.isTooLong = false;
    this.add(bytes);
  }

  add(bytes: Uint8Array): void {
    if (this.isTooLong) return;
    this.isTooLong = this.bytes.length + bytes.length > this.#maxBytes + EXTRA_BYTES;
    this.bytes = this.isTooLong ? new Uint8Array() : concat(this.bytes, bytes);
  }
}

/** Cuts chunks into pieces of 64 KB at most, because a large chunk of line ends would become a very long array. */
async function* inPieces(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    for (let start = 0; start < chunk.length; start += MAX_LINE_BYTES) {
      yield chunk.subarray(start, start + MAX_LINE_BYTES);
    }
  }
}

/**
 * Splits bytes into lines. The bytes are whole lines, and the last line has no line end.
 *
 * @param firstNumber the number of the first line
 */
function splitBlock(block: Uint8Array, firstNumber: number, maxBytes: number): Line[] {
  try {
    // Decoding all lines at once is many times as fast as decoding the lines one after the other. It is safe, because
    // in UTF-8 the byte LF is always a line feed.
    const texts = decoder.decode(block).split("\n");
    return texts.map((text, index) => lineOf(text, firstNumber + index, maxBytes));
  } catch {
    return splitBytes(block).map((bytes, index) => {
      try {
        return lineOf(decoder.decode(bytes), firstNumber + index, maxBytes);
      } catch {
        return { number: firstNumber + index, fault: "not_utf8" };
      }
    });
  }
}

/** Makes a line from its text, which may still have a CR at its end. */
function lineOf(text: string, number: number, maxBytes: number): Line {
  const start = number === 1 && text.startsWith("\ufeff") ? 1 : 0;
  const line = text.slice(start, text.endsWith("\r") ? -1 : undefined);
  // Only a long line needs to be encoded for its length.
  const mayBeTooLong = line.length * BYTES_PER_UNIT > maxBytes;
  if (mayBeTooLong && new TextEncoder().encode(line).length > maxBytes) {
    return { number, fault: "too_long" };
  }
  return { number, text: line };
}

function splitBytes(block: Uint8Array): Uint8Array[] {
  const lines = [];
  let start = 0;
  for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, start)) {
    lines.push(block.subarray(start, end));
    start = end + 1;
  }
  return [...lines, block.subarray(start)];
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
