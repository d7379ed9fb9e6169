/** Answers that are prepared once: a text in each content coding, with a strong `ETag` for each. @module */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chooseCoding, type Coding } from "./negotiate.ts";
import { isRead, methodNotAllowed } from "./plain_answers.ts";

interface AnswerOptions {
  /** 200 unless told otherwise. Answers with another status have no `ETag`, and are never 304. */
  status?: number;
  headers: Record<string, string>;
}

/** This quality compresses nearly as well as the highest one, in a thirtieth of the time. */
const BROTLI_QUALITY = 5;

/** Gives the bytes of a resource in each coding. @param options.compress whether that makes its media type smaller */
export function represent(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  { compress }: { compress: boolean },
) {
  const codings = new Map<Coding, ReturnType<typeof encoded>>([["identity", encoded(bytes)]]);
  if (compress) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    };
    codings.set("br", encoded(new Uint8Array(brotliCompressSync(bytes, { params }))));
    codings.set("gzip", encoded(new Uint8Array(gzipSync(bytes, { level: 9 }))));
  }
  return { contentType, codings };
}

export function representText(text: string, mediaType: string) {
  const bytes = new TextEncoder().encode(text);
  return represent(bytes, `${mediaType}; charset=utf-8`, { compress: true });
}

/**
 * Makes the function that answers GET and HEAD in the coding that the request prefers, and with 304 where
 * `If-None-Match` has its `ETag`. The headers must have `Vary`; without a compressed coding also `no-transform`, as
 * `Deno.serve` up to 2.5 otherwise compresses the answer and weakens its `ETag`.
 * Each answer is a clone of a prepared response. Deno copies the bytes of a new `Response` and keeps the copy until
 * the client has read all of it, which a hostile client never does.
 */
export function prepareAnswer(
  { contentType, codings }: ReturnType<typeof represent>,
  { status = 200, headers }: AnswerOptions,
): (request: Request) => Response {
  const prepared = new Map(Array.from(codings, ([coding, { bytes, etag }]) => {
    const common = { ...headers, ...(status === 200 && { ETag: etag }) };
    const response = new Response(bytes, {
      status,
      headers: {
        ...common,
        "Content-Type": contentType,
        // Without it, the server would declare the length of a HEAD's empty body (RFC 9110 §8.6).
        "Content-Length": String(bytes.byteLength),
        ...(coding !== "identity" && { "Content-Encoding": coding }),
      },
    });
    return [coding, { etag, common, response }];
  }));
  return (request) => {
    const { headers, method } = request;
    const coding = chooseCoding(headers.get("accept-encoding"), (coding) => prepared.has(coding));
    const { etag, common, response } = prepared.get(coding)!;
    if (status === 200 && matchesIfNoneMatch(headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    if (method === "HEAD") return new Response(null, { status, headers: response.headers });
    return response.clone();
  };
}

function encoded(bytes: Uint8Array<ArrayBuffer>) {
  const digest = createHash("sha256").update(bytes).digest("base64url");
  return { bytes, etag: `"${digest.slice(0, 22)}"` };
}

/** A weak comparison (RFC 9110 §8.8.3.2). The list may be long and no tag has a quote inside, so it is not parsed. */
function matchesIfNoneMatch(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag));
}

export interface Document {
  text: string;
  contentType: string;
  headers?: Record<string, string>;
}

/**
 * Makes the function that serves a document to GET and HEAD, with `ETag` and 304 (RFC 9110 §13.1.2). Scripts
 * of any origin may read it. A function makes the document for each request.
 */
export function serveDocument(
  document: Document | (() => Document),
): (request: Request) => Response {
  const answer = typeof document === "function"
    ? (request: Request) => prepareDocument(document())(request)
    : prepareDocument(document);
  return (request) => isRead(request) ? answer(request) : methodNotAllowed();
}

function prepareDocument({ text, contentType, headers }: Document) {
  const vary = headers?.["Vary"];
  const bytes = new TextEncoder().encode(text);
  return prepareAnswer(represent(bytes, contentType, { compress: true }), {
    headers: {
      "Cache-Control": "public, max-age=300",
      "Access-Control-Allow-Origin": "*",
      "X-Content-Type-Options": "nosniff",
      ...headers,
      "Vary": vary ? `${vary}, Accept-Encoding` : "Accept-Encoding",
    },
  });
}
