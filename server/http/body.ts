/** Reads bodies: media type → size → parse. @module */
import { Buffer } from "node:buffer";
import { readLines } from "../../shared/lines.ts";
import { inTime } from "../runtime/mod.ts";
import { FORM, type Form, hasTooManyFields, parseForm, TOO_MANY_FIELDS } from "./form.ts";
import type { Action, AnyFailure, BodyFailure, Call, Operation, Outcome } from "./operation.ts";
import { mediaType } from "./request.ts";
import { NDJSON } from "./respond.ts";

const ACCEPTED: Record<Exclude<Action<never>["body"], "none">, readonly string[]> = {
  form: [FORM],
  form_or_json: ["application/json", FORM],
  json: ["application/json"],
  ndjson: [NDJSON],
};

/** Reads and checks the body of a request, and lets the operation act on it. */
export async function actOnBody<Failure extends AnyFailure>(
  operation: Exclude<Operation<Failure>, { body: "none" }>,
  request: Request,
  call: Call,
): Promise<Outcome<Failure>> {
  const refuse = (failure: BodyFailure) => operation.describeBody?.(failure) ?? failure;
  const type = mediaType(call.headers.get("content-type"));
  const fault = typeFault(type, call.headers, ACCEPTED[operation.body]);
  if (fault) return refuse(fault);

  if (operation.body === "ndjson") {
    try {
      return await operation.act(readLines(untilCut(request.body)), call);
    } catch (error) {
      if (error instanceof CutError) return refuse({ failure: "body_cut" });
      throw error;
    }
  }

  const read = await readText(request);
  if ("failure" in read) {
    const isBrokenJson = read.failure === "not_utf8" && type !== FORM;
    return refuse(isBrokenJson ? { failure: "invalid_json" } : read);
  }
  let value: unknown;
  if (type === FORM) {
    const parsed = formOf(read.text);
    if ("failure" in parsed) return refuse(parsed);
    value = call.form = parsed.form;
  } else {
    try {
      value = JSON.parse(read.text);
    } catch {
      return refuse({ failure: "invalid_json" });
    }
  }
  switch (operation.body) {
    case "form":
      return await operation.act(value as Form, call);
    case "form_or_json":
      return await operation.act(type === FORM ? { form: value as Form } : { json: value }, call);
    case "json":
      return await operation.act(value, call);
  }
}

/** Reads a page's form, whose body is checked as an operation's is. */
export async function readForm(request: Request): Promise<{ form: Form } | BodyFailure> {
  const { headers } = request;
  const fault = typeFault(mediaType(headers.get("content-type")), headers, ACCEPTED.form);
  if (fault) return fault;
  const read = await readText(request);
  return "failure" in read ? read : formOf(read.text);
}

function formOf(text: string): { form: Form } | BodyFailure {
  return hasTooManyFields(text, "&") ? TOO_MANY_FIELDS : { form: parseForm(text) };
}

function typeFault(
  type: string,
  headers: Headers,
  accepted: readonly string[],
): BodyFailure | undefined {
  if (!accepted.includes(type)) return { failure: "unsupported_media_type", accepted };
  const coding = headers.get("content-encoding")?.toLowerCase() || "identity";
  if (coding !== "identity") return { failure: "unsupported_content_encoding" };
}

class CutError extends Error {}

async function* untilCut(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw new CutError("The body was cut", { cause });
  }
}

/** The largest body of a sign-up or token request, in bytes (contract, "Limits": 64 KB). */
export const MAX_BODY_BYTES = 65_536;

/** Reads a body as UTF-8 text of at most `maxBytes`; after `deadlineMs` milliseconds it counts as cut. */
export async function readText(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  deadlineMs = 10_000,
): Promise<{ text: string } | { failure: "payload_too_large" | "not_utf8" | "body_cut" }> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) return { failure: "payload_too_large" };
  // Faster than a stream, and as safe: the HTTP parser lets no more bytes through.
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

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes UTF-8 and drops a byte order mark. `Buffer` is faster than `TextDecoder`, but keeps the mark and
 * replaces bytes that are not UTF-8 by U+FFFD. @throws {TypeError} where the bytes are not UTF-8
 */
function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return /[\uFEFF\uFFFD]/.test(text) ? UTF_8.decode(bytes) : text;
}

/** Opens a body for reading into one buffer; `undefined` for one in memory, as in calls by the console. */
function openReader(body: ReadableStream | null): ReadableStreamBYOBReader | undefined {
  try {
    return body?.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/**
 * The least room of a read, in bytes: Deno 2.9 also takes the framing of HTTP/1.1's chunks into the buffer,
 * and waits without an end where a chunk's size line or the trailers do not fit.
 */
const LEAST_ROOM = 16_384;

/** Reads up to the first chunk past `maxBytes`, into one buffer: a chunk of another reader keeps 64 KB alive. */
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

/** Reading would go on after the deadline. A body that is cut is stopped already. */
function stopReading(reader: ReadableStreamBYOBReader | undefined): void {
  reader?.cancel().catch(() => {});
}
