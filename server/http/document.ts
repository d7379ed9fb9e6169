import { prepareAnswer, represent } from "./representation.ts";

/** A public, static document. */
export interface Document {
  text: string;
  /** Its media type, with parameters. */
  contentType: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

/**
 * Makes the function that serves a document to GET and HEAD, with a strong `ETag` for each content coding
 * and 304 where `If-None-Match` has it (RFC 9110 §13.1.2). Scripts of any origin may read it. Other methods
 * get 405.
 *
 * @param document the document, or a function that makes it for each request
 */
export function serveDocument(
  document: Document | (() => Document),
): (request: Request) => Response {
  const answer = typeof document === "function"
    ? (request: Request) => prepareDocument(document())(request)
    : prepareDocument(document);
  return (request) =>
    request.method === "GET" || request.method === "HEAD" ? answer(request) : methodNotAllowed();
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

/** Refuses a method on a path that takes some others, by default GET and HEAD. */
export function methodNotAllowed(methods = ["GET", "HEAD"]): Response {
  const message = `This method is not accepted here; use ${methods.join(" or ")}.`;
  return Response.json({ error: "method_not_allowed", message }, {
    status: 405,
    headers: { "Allow": methods.join(", "), "X-Content-Type-Options": "nosniff" },
  });
}
