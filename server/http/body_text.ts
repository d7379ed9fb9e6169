/**
 * Reads the bytes of a body as text, within limits of size and time. The memory that it takes does not depend
 * on the chunks in which the body arrives.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { inTime } from "../runtime/mod.ts";
import type { BodyFailure } from "./operation.ts";

/** The largest body of a sign-up or token request, in bytes (contract, "Limits": 64 KB). */
export const MAX_BODY_BYTES = 65_536;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** How long a body may take to arrive, in milliseconds. */
export const BODY_DEADLINE_MS = 10_000;

/** Why a body could not be read. It is cut where the connection broke or the body came too late. */
type UnreadBody = Extract<
  BodyFailure,
  { failure: "payload_too_large" | "not_utf8" | "body_cut" }
>;

/**
 * Reads a request's body as UTF-8 text.
 *
 * A body whose `Content-Length` is larger than `maxBytes` is refused before it is read. A body without
 * `Content-Length` is read up to the limit and no further. Reading ends after `deadlineMs` milliseconds.
 */
export async function readText(
  request: Request,
  maxBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<{ text: string } | UnreadBody> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) return { failure: "payload_too_large" };
  // Reading the whole body at once is several times faster than reading a stream. It is as safe where
  // there is a `Content-Length`, as the HTTP parser lets no more bytes through.
  const reader = declared === null ? openReader(request.body) : undefined;
  let bytes: Uint8Array;
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
  try {
    return { text: decode(bytes) };
  } catch {
    return { failure: "not_utf8" };
  }
}

/**
 * Decodes UTF-8 and drops a byte order mark. `Buffer` takes less time than `TextDecoder`, but it keeps the
 * mark, and it replaces bytes that are not UTF-8 by U+FFFD. Texts with either are decoded a second time.
 *
 * @throws {TypeError} where the bytes are not UTF-8
 */
function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return /[\uFEFF\uFFFD]/.test(text) ? UTF_8.decode(bytes) : text;
}

/**
 * Opens a body for reading into one buffer. Returns `undefined` for a body that did not come over the
 * network, as in the console's calls of operations: it is in memory already, and no stream of bytes.
 */
function openReader(body: ReadableStream | null): ReadableStreamBYOBReader | undefined {
  try {
    return body?.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/**
 * The least room that a read has, in bytes. Deno 2.9 takes the framing of HTTP/1.1's chunks into the buffer, too,
 * and waits without an end where a chunk's size line or the trailers do not fit.
 */
const LEAST_ROOM = 16_384;

/**
 * Reads a body up to the first chunk that ends past `maxBytes`. All chunks are read into one buffer: each chunk of
 * another reader keeps a buffer of 64 KB alive, even if it holds one byte.
 */
async function readStream(reader: ReadableStreamBYOBReader, maxBytes: number): Promise<Uint8Array> {
  let buffer = new Uint8Array(maxBytes + LEAST_ROOM);
  let length = 0;
  while (length <= maxBytes) {
    // The reader takes the memory of the buffer over, and gives it back with the chunk.
    const { done, value } = await reader.read(buffer.subarray(length));
    if (value) buffer = new Uint8Array(value.buffer);
    if (done) break;
    length += value.byteLength;
  }
  return buffer.subarray(0, length);
}

/** Stops the reading of a body, which would go on after its deadline. A body that is cut is stopped already. */
function stopReading(reader: ReadableStreamBYOBReader | undefined): void {
  reader?.cancel().catch(() => {});
}
