/**
 * NDJSON, one JSON value a line, as streams that hold no more in memory than what is on its way.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";

/** The media type of NDJSON. */
export const NDJSON = "application/x-ndjson";

/**
 * How long a body rests after each batch, in milliseconds. A reader that takes all it can get would
 * leave no time to whoever shares the machine: sign-ups beside an export wait a fifth as long with it.
 */
const REST_MS = 1;

/**
 * Makes a body of batches of values; the lines of a batch go out together. The next batch is asked for
 * only when the reader has taken the last one, and none any more once it has gone.
 *
 * @param batches values, or text that {@linkcode toNdjson} has made of them
 * @param onError is told what `batches` throws; the body then ends as a broken one
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

/** Makes lines of values. */
export function toNdjson(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
