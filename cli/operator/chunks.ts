/**
 * Sends the lines of a file to the service in chunks. The next chunk is read while the service stores the
 * last one, and a chunk is sent again after a cut.
 *
 * @module
 */
import { isCut } from "./lines.ts";
import type { Work } from "./progress.ts";

/** Lines that go out in one request. A million sign-ups are 200 requests, of the 600 a minute allowed. */
const MAX_LINES = 5_000;

/** Characters that go out in one request. */
const MAX_LENGTH = 4_000_000;

/** The most times that a call is sent again; with the pauses, a service may be down for half a minute. */
const MAX_RETRIES = 5;

/** A line of a file, as the JSON of one value. */
export interface JsonLine {
  /** Its number in the file. */
  number: number;
  json: string;
}

/** Lines of NDJSON for one request, and their numbers in the file. */
export interface Chunk {
  lines: string;
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

/**
 * Makes a call that may be repeated, and repeats it after a cut: the connection broke, or the service
 * was killed or restarts. Other failures are final.
 */
export async function retrying<T>(
  call: () => Promise<T>,
  { context: { clock }, progress }: Pick<Work, "context" | "progress">,
): Promise<T> {
  for (let retries = 0;; retries++) {
    try {
      return await call();
    } catch (error) {
      if (!isCut(error) || retries === MAX_RETRIES) throw error;
      const seconds = 2 ** retries;
      progress.note(`waitlist: ${error.message}; sending it again in ${seconds} s.`);
      await clock.wait(seconds * 1000, new AbortController().signal);
    }
  }
}
