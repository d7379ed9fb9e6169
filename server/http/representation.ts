/**
 * Makes the answers for pages, pictures and documents. An answer is prepared once in each content coding; only a
 * document whose text depends on the time is prepared for each request. An answer with status 200 has a strong `ETag`.
 * `short_answers.ts` makes short answers. @module
 */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chooseCoding, type Coding } from "./negotiate.ts";
import { isGetOrHead, methodNotAllowed } from "./short_answers.ts";

/** The bytes of a text or a picture, with their media type. */
interface Representation {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** Whether to compress the bytes. False for media types that are already compressed. */
  isCompressible: boolean;
}

/** What an answer has besides the representation. */
interface AnswerOptions {
  /** The status, 200 by default. An answer with another status has no `ETag` and is never 304. */
  status?: number;
  headers: Record<string, string>;
}

/** The quality of Brotli. It compresses nearly as well as the highest quality, 11, in a thirtieth of the time. */
const BROTLI_QUALITY = 5;

/** The number of characters of an `ETag`. They have 132 bits, so that no two different answers have the same `ETag`. */
const ETAG_LENGTH = 22;

/** The functions that compress bytes, by content coding. */
const ENCODERS: Record<Coding, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>> = {
  br(bytes) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    };
    return new Uint8Array(brotliCompressSync(bytes, { params }));
  },
  gzip: (bytes) => new Uint8Array(gzipSync(bytes, { level: 9 })),
  identity: (bytes) => bytes,
};

/** Makes the representation of a text in UTF-8. */
export function representText(text: string, mediaType: string): Representation {
  const bytes = new TextEncoder().encode(text);
  return { bytes, contentType: `${mediaType}; charset=utf-8`, isCompressible: true };
}

/**
 * Makes the function that answers GET and HEAD, in the coding that the request prefers or with status 304. The section
 * `http/` of `server/README.md` says why each answer is a clone of a prepared response.
 *
 * @param options.headers must have `Vary`. If the representation is not compressible, they must also have
 * `Cache-Control: no-transform`, because otherwise `Deno.serve` up to version 2.5 compresses the answer and makes its
 * `ETag` weak
 */
export function prepareAnswer(
  representation: Representation,
  { status = 200, headers }: AnswerOptions,
): (request: Request) => Response {
  const preparedAnswers = new Map<Coding, CodedAnswer>();
  const isOffered = (coding: Coding) => representation.isCompressible || coding === "identity";
  return (request) => {
    const coding = chooseCoding(request.headers.get("accept-encoding"), isOffered);
    let answer = preparedAnswers.get(coding);
    if (answer === undefined) {
      answer = encodeAnswer(representation, coding, { status, headers });
      preparedAnswers.set(coding, answer);
    }
    const { etag, headersOf304, response } = answer;
    if (status === 200 && matchesIfNoneMatch(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: headersOf304 });
    }
    if (request.method === "HEAD") return new Response(null, { status, headers: response.headers });
    return response.clone();
  };
}

/** The answer in one content coding. */
interface CodedAnswer {
  etag: string;
  /** The headers that an answer with status 304 has as well. */
  headersOf304: Record<string, string>;
  response: Response;
}

/** Makes the answer in one content coding. */
function encodeAnswer(
  { bytes, contentType }: Representation,
  coding: Coding,
  { status, headers }: Required<AnswerOptions>,
): CodedAnswer {
  const encoded = ENCODERS[coding](bytes);
  const digest = createHash("sha256").update(encoded).digest("base64url");
  const etag = `"${digest.slice(0, ETAG_LENGTH)}"`;
  const headersOf304 = { ...headers, ...(status === 200 && { ETag: etag }) };
  const response = new Response(encoded, {
    status,
    headers: {
      ...headersOf304,
      "Content-Type": contentType,
      // Without this header, the server would declare the length 0 for HEAD (RFC 9110 §8.6).
      "Content-Length": String(encoded.byteLength),
      ...(coding !== "identity" && { "Content-Encoding": coding }),
    },
  });
  return { etag, headersOf304, response };
}

/**
 * Whether the header `If-None-Match` is `*` or has a tag (RFC 9110 §13.1.2). A search in the text of the header is
 * enough, because no tag of the service is a part of another tag.
 */
function matchesIfNoneMatch(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag));
}

/** A document, such as the metadata of the authorization server. */
export interface Document {
  text: string;
  contentType: string;
  headers?: Record<string, string>;
  /** Whether the text depends on the time. Such a text is made for each request; other texts are made once. */
  dependsOnTime?: boolean;
}

/**
 * Makes the function that serves a document to GET and HEAD, with `ETag` and 304 (RFC 9110 §13.1.2). Scripts of any
 * origin may read the document.
 */
export function serveDocument(makeDocument: () => Document): (request: Request) => Response {
  let preparedAnswer: ((request: Request) => Response) | undefined;
  return (request) => {
    if (!isGetOrHead(request)) return methodNotAllowed();
    if (preparedAnswer) return preparedAnswer(request);
    const document = makeDocument();
    const answer = prepareDocument(document);
    if (!document.dependsOnTime) preparedAnswer = answer;
    return answer(request);
  };
}

/** Makes the function that answers GET and HEAD with a document. */
function prepareDocument(
  { text, contentType, headers }: Document,
): (request: Request) => Response {
  const bytes = new TextEncoder().encode(text);
  return prepareAnswer({ bytes, contentType, isCompressible: true }, {
    headers: {
      "Cache-Control": "public, max-age=300",
      "Access-Control-Allow-Origin": "*",
      "X-Content-Type-Options": "nosniff",
      "Vary": "Accept-Encoding",
      ...headers,
    },
  });
}
