/**
 * Gathers the lines of a file into chunks, one for each request.
 *
 * @module
 */

/** The most lines of a chunk. A million sign-ups are 200 requests, and the service allows 600 a minute. */
const MAX_LINES = 5_000;

/** The most characters of a chunk, except that its last line may go beyond. */
const MAX_LENGTH = 4_000_000;

/** A line of a file as JSON. */
export interface JsonLine {
  /** The number of the line in the file. */
  number: number;
  /** The JSON of one value. */
  json: string;
}

/** The lines for one request. */
export interface Chunk {
  /** The lines as NDJSON. */
  lines: string;
  /** The numbers of the lines in the file. */
  numbers: number[];
}

/** Gathers lines into chunks. */
export async function* inChunks(
  groups: AsyncIterable<Iterable<JsonLine>> | Iterable<Iterable<JsonLine>>,
): AsyncGenerator<Chunk> {
  let lines: string[] = [];
  let numbers: number[] = [];
  let length = 0;
  const take = () => {
    const chunk = { lines: lines.join("\n") + "\n", numbers };
    [lines, numbers, length] = [[], [], 0];
    return chunk;
  };
  for await (const group of groups) {
    for (const { number, json } of group) {
      lines.push(json);
      numbers.push(number);
      length += json.length;
      if (lines.length === MAX_LINES || length >= MAX_LENGTH) yield take();
    }
  }
  if (lines.length > 0) yield take();
}
