import { createHash } from "node:crypto";

/** A public, static document. */
export interface Document {
  text: string;
  /** Its media type, with parameters. */
  contentType: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/**
 * Serves a document: GET and HEAD with a strong `ETag`, 304 where `If-None-Match` names it (RFC 9110
 * §13.1.2), readable from any origin; other methods get 405.
 *
 * @param document the document, or what makes it when it is asked for
 */
export function serveDocument(
  document: Document | (() => Document),
): (request: Request) => Response {
  let prepare: () => PreparedDocument;
  if (typeof document === "function") {
    prepare = () => prepareDocument(document());
  } else {
    const prepared = prepareDocument(document);
    prepare = () => prepared;
  }
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
    const { text, etag, headers, contentHeaders } = prepare();
    if (namesTag(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === "HEAD" ? null : text, {
      headers: { ...headers, ...contentHeaders },
    });
  };
}

/** A document with everything that its answers need. */
interface PreparedDocument {
  text: string;
  etag: string;
  /** Of every answer, 304 included. */
  headers: Record<string, string>;
  /** Of the answers that describe the body. */
  contentHeaders: Record<string, string>;
}

function prepareDocument({ text, contentType, headers }: Document): PreparedDocument {
  const digest = createHash("sha256").update(text).digest("base64url");
  const etag = `"${digest.slice(0, 22)}"`;
  return {
    text,
    etag,
    headers: {
      "ETag": etag,
      "Cache-Control": "public, max-age=300",
      "Access-Control-Allow-Origin": "*",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
    contentHeaders: {
      "Content-Type": contentType,
      "Content-Length": String(new TextEncoder().encode(text).byteLength),
    },
  };
}

/** Whether `If-None-Match` is `*` or lists the tag; the comparison is weak (RFC 9110 §8.8.3.2). */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Refuses a method on a path that takes GET and HEAD only. */
export function methodNotAllowed(): Response {
  const message = "This method is not accepted here; use GET or HEAD.";
  return Response.json({ error: "method_not_allowed", message }, {
    status: 405,
    headers: { "Allow": "GET, HEAD", "X-Content-Type-Options": "nosniff" },
  });
}
