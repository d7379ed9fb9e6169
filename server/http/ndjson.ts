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
