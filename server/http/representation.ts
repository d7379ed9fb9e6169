/**
 * Answers made before any request: text in every content coding, with a strong `ETag` for each, served
 * from memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chooseCoding, type Coding } from "./negotiate.ts";

/** Bytes in one coding. */
interface Encoded {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** A resource's bytes in each coding that is worth its while. */
export interface Representation {
  /** The media type, with parameters. */
  contentType: string;
  codings: ReadonlyMap<Coding, Encoded>;
}

/** How a representation is answered. */
export interface AnswerOptions {
  /** 200 unless told otherwise; any other status has no `ETag` and no 304. */
  status?: number;
  headers: Record<string, string>;
}

/** Nearly as small as the highest quality, at a thirtieth of its time. */
const BROTLI_QUALITY = 5;

/**
 * Makes a representation.
 *
 * @param compress whether the media type is one that compression makes smaller
 */
export function represent(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  { compress }: { compress: boolean },
): Representation {
  const codings = new Map<Coding, Encoded>([["identity", encoded(bytes)]]);
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

/** Text, which compresses, as a representation in UTF-8. */
export function representText(text: string, mediaType: string): Representation {
  const bytes = new TextEncoder().encode(text);
  return represent(bytes, `${mediaType}; charset=utf-8`, { compress: true });
}

/**
 * Makes the function that answers a GET or HEAD in the coding that the request prefers, with 304 where
 * `If-None-Match` names that coding's `ETag`. The headers given must hold `Vary`; what has no compressed
 * coding also needs `no-transform` in `Cache-Control`, as Deno.serve up to 2.5 otherwise compresses it
 * by itself and weakens its `ETag`.
 *
 * An answer is a clone of a prepared one, and shares its bytes: Deno copies those of a new `Response`, and
 * keeps the copy until the client has read the last of it, which a hostile one never does.
 */
export function prepareAnswer(
  { contentType, codings }: Representation,
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
    const coding = chooseCoding(
      request.headers.get("accept-encoding"),
      (coding) => prepared.has(coding),
    );
    const { etag, common, response } = prepared.get(coding)!;
    if (status === 200 && matchesIfNoneMatch(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    if (request.method === "HEAD") return new Response(null, { status, headers: response.headers });
    return response.clone();
  };
}

function encoded(bytes: Uint8Array<ArrayBuffer>): Encoded {
  const digest = createHash("sha256").update(bytes).digest("base64url");
  return { bytes, etag: `"${digest.slice(0, 22)}"` };
}

/**
 * Whether `If-None-Match` is `*` or lists the tag; the comparison is weak (RFC 9110 §8.8.3.2). No tag has
 * a quote inside, so one that is found with its quotes is in the list, which may be long.
 */
function matchesIfNoneMatch(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag));
}
