/**
 * NDJSON, one JSON value a line, as streams that hold no more in memory than what is on its way.
 *
 * @module
 */

/** The media type of NDJSON. */
export const NDJSON = "application/x-ndjson";

/**
 * Makes a body of batches of values; the lines of a batch go out together. The next batch is asked for
 * only when the reader has taken the last one, and none any more once it has gone.
 *
 * @param onError is told what `batches` throws; the body then ends as a broken one
 */
export function ndjsonBody(
  batches: AsyncIterable<readonly unknown[]>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  async function* chunks() {
    try {
      for await (const batch of batches) {
        if (batch.length === 0) continue;
        yield encoder.encode(batch.map((value) => `${JSON.stringify(value)}\n`).join(""));
      }
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  return ReadableStream.from(chunks());
}

/** A line of text without its end, or why there is none: past the limit, or no UTF-8. */
export type Line = { text: string } | { fault: "too_long" | "not_utf8" };

/**
 * Reads lines out of a body, in the batches that they arrive in. A line that is too long or no UTF-8 is
 * said to be, and the next one read all the same. A last line without an end counts; a `\r` before the
 * end does not belong to the line. Memory holds one chunk and one line of at most `maxBytes`.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): AsyncGenerator<Line[]> {
  let begun: Uint8Array[] = [];
  let length = 0;

  function add(bytes: Uint8Array): void {
    length += bytes.byteLength;
    if (length > maxBytes) begun = [];
    // A view would keep the whole chunk that it is a part of.
    else begun.push(bytes.slice());
  }

  function endLine(): Line {
    const line = length > maxBytes ? { fault: "too_long" as const } : decode(begun);
    begun = [];
    length = 0;
    return line;
  }

  for await (const chunk of body ?? []) {
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(LF); to >= 0; to = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, to));
      lines.push(endLine());
      from = to + 1;
    }
    if (from < chunk.byteLength) add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [endLine()];
}

const LF = 10;

function decode(parts: Uint8Array[]): Line {
  const [first = new Uint8Array()] = parts;
  const bytes = parts.length > 1 ? join(parts) : first;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text: text.endsWith("\r") ? text.slice(0, -1) : text };
  } catch {
    return { fault: "not_utf8" };
  }
}

function join(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}
