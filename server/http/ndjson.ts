/**
 * Streams of NDJSON, one JSON value a line. Memory holds only the batch that is being sent.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";

/** The media type of NDJSON. */
export const NDJSON = "application/x-ndjson";

/**
 * The pause after each batch, in milliseconds. Without it, a fast reader takes the whole processor time:
 * sign-ups during an export wait five times as long.
 */
const REST_MS = 1;

/**
 * Makes a body of batches of values; the lines of a batch are sent together. The next batch is made only
 * when the reader has taken the one before it. None is made after the reader has gone.
 *
 * @param batches values, or text that {@linkcode toNdjson} has made of them
 * @param onError is called with an error that `batches` throws; the body then breaks off
 */
export function ndjsonBody(
  batches: AsyncIterable<readonly unknown[] | string>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  async function* chunks() {
    try {
      for await (const batch of batches) {
        if (batch.length === 0) continue;
        yield encoder.encode(typeof batch === "string" ? batch : toNdjson(batch));
        await delay(REST_MS);
      }
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  return ReadableStream.from(chunks());
}

/** Makes a line of each value. */
export function toNdjson(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
