import { Buffer } from "node:buffer";
import { inTime } from "./in_time.ts";

/** The largest body of a sign-up or token request, in bytes (contract, "Limits": 64 KB). */
export const MAX_BODY_BYTES = 65_536;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** How long a body may take to arrive, in milliseconds. */
export const BODY_DEADLINE_MS = 10_000;

/**
 * Why a body could not be read: past the limit, no UTF-8, or not whole, as it broke off or did not arrive
 * in time.
 */
export type BodyFault = "too_large" | "not_utf8" | "incomplete";

/**
 * Reads a request's body as UTF-8 text.
 *
 * A declared `Content-Length` past `maxBytes` is refused before anything is read; a body without one
 * is read up to the limit and no further. One that is not whole within `deadlineMs` is given up.
 */
export async function readText(
  request: Request,
  maxBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<{ text: string } | { fault: BodyFault }> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) return { fault: "too_large" };
  let bytes: Uint8Array | undefined;
  try {
    // Reading the whole at once is several times faster than a stream, and just as safe where the
    // HTTP parser already holds the client to a declared length.
    const reading = declared === null ? readStream(request, maxBytes) : request.bytes();
    bytes = await inTime(deadlineMs, reading);
  } catch {
    return { fault: "incomplete" };
  }
  if (!bytes || bytes.byteLength > maxBytes) return { fault: "too_large" };
  try {
    return { text: decode(bytes) };
  } catch {
    return { fault: "not_utf8" };
  }
}

/**
 * Decodes UTF-8, without a byte order mark. `Buffer` takes less time than `TextDecoder`, but leaves the
 * mark and replaces what is not UTF-8 by U+FFFD: where either is found, the bytes are decoded once more.
 *
 * @throws {TypeError} where the bytes are not UTF-8
 */
function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return /[\uFEFF\uFFFD]/.test(text) ? UTF_8.decode(bytes) : text;
}

/** The body's bytes, or `undefined` as soon as they are more than `maxBytes`. */
async function readStream(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
