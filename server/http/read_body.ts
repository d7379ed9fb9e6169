/**
 * Reads the body of a request as text or as bytes, within a limit of its length and a deadline. `body.ts` and
 * `file_form.ts` parse the body. @module
 */
import { Buffer } from "node:buffer";
import { inTime } from "../runtime/mod.ts";

/** The largest body that is accepted unless a caller sets another limit, in bytes (contract, "Limits": 64 KB). */
export const MAX_BODY_BYTES = 65_536;

/** How long a body may take to arrive unless a caller sets another deadline, in milliseconds. */
const BODY_DEADLINE_MS = 10_000;

/**
 * By how much the buffer for a stream is longer than the longest body, in bytes. Deno 2.9 also reads the framing of
 * HTTP/1.1 chunks into the buffer, and waits forever if the size line of a chunk or the trailers do not fit.
 */
const EXTRA_BYTES = 16_384;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body as UTF-8 text.
 *
 * @param maxBytes the length of the longest body that is accepted, in bytes
 * @param deadlineMs the time after which an incomplete body counts as cut, in milliseconds
 */
export async function readText(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<{ text: string } | { failure: "payload_too_large" | "not_utf8" | "body_cut" }> {
  const body = await readBytes(request, maxBytes, deadlineMs);
  if ("failure" in body) return body;
  try {
    return { text: decode(body.bytes) };
  } catch {
    return { failure: "not_utf8" };
  }
}

/** Reads a body. The parameters are those of {@linkcode readText}. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  deadlineMs: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer> } | { failure: "payload_too_large" | "body_cut" }> {
  const declaredLength = request.headers.get("content-length");
  if (declaredLength !== null && Number(declaredLength) > maxBytes) {
    return { failure: "payload_too_large" };
  }
  // `request.bytes()` is faster than a stream, but has no limit. It is used for a body with `Content-Length`, because
  // the HTTP parser gives no more bytes than this header declares, and the declared length was checked above.
  const reader = declaredLength === null ? openReader(request.body) : undefined;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await inTime(deadlineMs, reader ? readStream(reader, maxBytes) : request.bytes());
  } catch {
    stopReading(reader);
    return { failure: "body_cut" };
  }
  if (bytes.byteLength > maxBytes) {
    stopReading(reader);
    return { failure: "payload_too_large" };
  }
  return { bytes };
}

/**
 * Decodes UTF-8 and drops a byte order mark. `Buffer` is faster than `TextDecoder`, but it keeps the byte order mark
 * and replaces bytes that are not UTF-8 by U+FFFD. So a text that has one of these characters is decoded again by
 * `TextDecoder`.
 *
 * @throws {TypeError} if the bytes are not UTF-8
 */
function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return /[\uFEFF\uFFFD]/.test(text) ? UTF_8.decode(bytes) : text;
}

/**
 * Opens a body so that it can be read into one buffer. Gives `undefined` if there is no body, or if the body is in
 * memory, as in tests, because such a body cannot be read in this way.
 */
function openReader(body: ReadableStream | null): ReadableStreamBYOBReader | undefined {
  try {
    return body?.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/**
 * Reads a body to its end, or until more than `maxBytes` have been read. All chunks are read into one buffer, because
 * otherwise each chunk would use 64 KB of memory.
 */
async function readStream(
  reader: ReadableStreamBYOBReader,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(maxBytes + EXTRA_BYTES);
  let length = 0;
  while (length <= maxBytes) {
    // The reader takes the buffer's memory during a read, and gives it back with the chunk. So a new buffer is made
    // over the same memory after each read.
    const { done, value } = await reader.read(buffer.subarray(length));
    if (value) buffer = new Uint8Array(value.buffer);
    if (done) break;
    length += value.byteLength;
  }
  return buffer.subarray(0, length);
}

/**
 * Stops reading a body; otherwise the reading would go on after the deadline. An error is ignored, because a body that
 * failed cannot be cancelled.
 */
function stopReading(reader: ReadableStreamBYOBReader | undefined): void {
  reader?.cancel().catch(() => {});
}
