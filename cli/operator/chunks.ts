/**
 * Gathers the lines of a file into chunks, one for each request.
 *
 * @module
 */

/**
 * How many lines a chunk has at most. A million sign-ups are 200 requests, and the service allows 600 requests a
 * minute.
 */
const MAX_LINES = 5_000;

/** A chunk with this number of characters gets no further line, so that long lines do not make a request very large. */
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
  let gathered = new GatheredLines();
  for await (const group of groups) {
    for (const line of group) {
      gathered.add(line);
      if (!gathered.isFull) continue;
      yield gathered.toChunk();
      gathered = new GatheredLines();
    }
  }
  if (!gathered.isEmpty) yield gathered.toChunk();
}

/** The lines that are gathered for the next chunk. */
class GatheredLines {
  readonly #lines: string[] = [];
  readonly #numbers: number[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isFull(): boolean {
    return this.#lines.length === MAX_LINES || this.#length >= MAX_LENGTH;
  }

  add({ number, json }: JsonLine): void {
    this.#lines.push(json);
    this.#numbers.push(number);
    this.#length += json.length;
  }

  toChunk(): Chunk {
    return { lines: `${this.#lines.join("\n")}\n`, numbers: this.#numbers };
  }
}
