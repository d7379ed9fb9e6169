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

/** The messages about lines of a file that cannot be read. */
export const LINE_FAULTS: Record<LineFault, string> = {
  too_long: "The line is longer than 64 KB.",
  not_utf8: "The line is not UTF-8 text; save the file as UTF-8.",
};

const LF = 0x0a;

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
  let number = 1;
  /** The beginning of a line whose end has not arrived yet; `undefined` if this beginning is too long already. */
  let rest: Uint8Array | undefined = new Uint8Array();

  for await (const chunk of inPieces(stream)) {
    const end = chunk.lastIndexOf(LF);
    if (end < 0) {
      rest = rest && join(rest, chunk, maxBytes);
      continue;
    }
    const lines: Line[] = [];
    let from = 0;
    if (!rest) {
      lines.push({ number: number++, fault: "too_long" });
      from = chunk.indexOf(LF) + 1;
      rest = new Uint8Array();
    }
    if (from <= end) {
      const block: Uint8Array = concat(rest, chunk.subarray(from, end));
      for (const line of splitBlock(block, number, maxBytes)) lines.push(line);
      number = (lines.at(-1)?.number ?? 0) + 1;
    }
    rest = join(new Uint8Array(), chunk.subarray(end + 1), maxBytes);
    yield lines;
  }
  if (!rest) yield [{ number, fault: "too_long" }];
  else if (rest.length > 0) yield splitBlock(rest, number, maxBytes);
}

/** Cuts chunks into pieces of 64 KB at most, because a large chunk of line ends would become a very long array. */
async function* inPieces(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += MAX_LINE_BYTES) {
      yield chunk.subarray(at, at + MAX_LINE_BYTES);
    }
  }
}

/** Splits bytes into lines. The bytes are whole lines, and the last line has no line end. */
function splitBlock(block: Uint8Array, number: number, maxBytes: number): Line[] {
  try {
    // Decoding all lines at once is many times as fast as decoding one after the other. It is safe, because in UTF-8
    // the byte LF is always a line feed.
    const texts = decoder.decode(block).split("\n");
    return texts.map((text, index) => lineOf(text, number + index, maxBytes));
  } catch {
    return splitBytes(block).map((bytes, index) => {
      try {
        return lineOf(decoder.decode(bytes), number + index, maxBytes);
      } catch {
        return { number: number + index, fault: "not_utf8" };
      }
    });
  }
}

function lineOf(text: string, number: number, maxBytes: number): Line {
  const start = number === 1 && text.startsWith("\ufeff") ? 1 : 0;
  const line = text.slice(start, text.endsWith("\r") ? -1 : undefined);
  // A UTF-16 code unit takes at most three bytes in UTF-8, so only a long line needs to be encoded for its length.
  if (line.length * 3 > maxBytes && new TextEncoder().encode(line).length > maxBytes) {
    return { number, fault: "too_long" };
  }
  return { number, text: line };
}

function splitBytes(block: Uint8Array): Uint8Array[] {
  const lines = [];
  let from = 0;
  for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, from)) {
    lines.push(block.subarray(from, end));
    from = end + 1;
  }
  return [...lines, block.subarray(from)];
}

/**
 * How many bytes around the text of a line do not count towards its length: a byte order mark (3 bytes) and a CR (1
 * byte).
 */
const EXTRA_BYTES = 4;

/** Joins two parts of the beginning of a line; `undefined` if together they are longer than `maxBytes` allows. */
function join(a: Uint8Array, b: Uint8Array, maxBytes: number): Uint8Array | undefined {
  return a.length + b.length > maxBytes + EXTRA_BYTES ? undefined : concat(a, b);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
