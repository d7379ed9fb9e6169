/**
 * Reads forms with a file (`multipart/form-data`, RFC 7578). The whole form is read into memory, so its size must be
 * bounded. @module
 */
import { withDeadline } from "../runtime/mod.ts";
import { MULTIPART } from "./form.ts";
import { type FormPart, splitMultipart } from "./multipart.ts";
import type { BodyFailure } from "./operation.ts";
import { readBytes } from "./read_body.ts";
import { mediaType } from "./request.ts";

/** A file that a browser has sent in a form. */
export interface SentFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The fields of a form with a file. */
export interface FileForm {
  /** The first value of each field that is not a file. */
  values: Map<string, string>;
  /** The first file of the form; absent if nobody has chosen a file. */
  file?: SentFile;
}

const decoder = new TextDecoder();

/** By how many bytes a form may be larger than the largest file that it may have. */
const MAX_OTHER_BYTES = 65_536;

/** How long a browser may take to send a form, in milliseconds: 8 MiB arrive in time with 250 kilobit a second. */
const DEADLINE_MS = 300_000;

/**
 * The size of the largest body that is read to its end although it is too large for the form, in bytes. A browser that
 * sends a larger body may show a broken connection in place of the answer.
 */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;

/** How long a body that is too large is still read, in milliseconds. */
const MAX_DROP_MS = 60_000;

/**
 * Reads a form with a file.
 *
 * @param maxBytes how many bytes the file may have; a larger file gives the failure `payload_too_large`
 * @param options.maxDropMs tests give another value than {@linkcode MAX_DROP_MS}
 */
export async function readFileForm(
  request: Request,
  maxBytes: number,
  { maxDropMs = MAX_DROP_MS } = {},
): Promise<FileForm | BodyFailure> {
  const type = request.headers.get("content-type") ?? "";
  if (mediaType(type) !== MULTIPART) {
    return { failure: "unsupported_media_type", accepted: [MULTIPART] };
  }
  const body = await readBytes(request, maxBytes + MAX_OTHER_BYTES, DEADLINE_MS);
  if ("failure" in body) {
    if (body.failure === "payload_too_large") await dropBody(request, maxDropMs);
    return body;
  }
  const parts = splitMultipart(body.bytes, type);
  if (!parts) {
    return { failure: "invalid_request", message: "The form is not valid multipart/form-data." };
  }
  const form = toFileForm(parts);
  const isFileTooLarge = form.file && form.file.bytes.byteLength > maxBytes;
  return isFileTooLarge ? { failure: "payload_too_large" } : form;
}

function toFileForm(parts: FormPart[]): FileForm {
  const values = new Map<string, string>();
  let file: SentFile | undefined;
  for (const { name, fileName, bytes } of parts) {
    if (fileName === undefined) {
      if (!values.has(name)) values.set(name, decoder.decode(bytes));
      continue;
    }
    // If nobody has chosen a file, a browser sends a file without a name and without bytes.
    const isChosen = fileName !== "" || bytes.length > 0;
    if (isChosen) file ??= { name: fileName, bytes };
  }
  return { values, ...file && { file } };
}

/**
 * Reads a body that is too large for the form and drops it, because a browser shows the answer only after it has sent
 * the whole body. A body that is larger than {@linkcode MAX_DROPPED_BYTES}, declares no length or takes too long is
 * answered before its end.
 *
 * What happens to the rest of such a body is up to the runtime: Node closes the connection a second later
 * (`runtime/node.ts`), and Deno 2.9 takes the rest without storing it.
 */
async function dropBody({ body, headers }: Request, maxDropMs: number): Promise<void> {
  const declaredLength = headers.get("content-length");
  if (!body || declaredLength === null || Number(declaredLength) > MAX_DROPPED_BYTES) return;
  try {
    // Nothing else has begun to read this body, because `readBytes()` refuses a body whose declared length is too large
    // before it reads the body.
    await withDeadline(maxDropMs, (signal) => body.pipeTo(new WritableStream(), { signal }));
  } catch {
    // The deadline is over, or the browser has ended the connection. The error is ignored, because the body is refused
    // anyway.
  }
}
