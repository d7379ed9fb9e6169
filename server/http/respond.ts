/**
 * Makes the responses of APIs from the answers of operations, with all headers. Only CORS headers are added later, in
 * the pipeline. @module
 */
import type { Allowance } from "../limits/mod.ts";
import { letRequestsArrive } from "../runtime/mod.ts";
import {
  type AnswerHeaders,
  type ApiAnswer,
  type JsonAnswer,
  type LinesAnswer,
  NDJSON,
  type RedirectAnswer,
  toNdjson,
} from "./answer.ts";

/** The values that all answers of one operation have in common. */
export interface RouteInfo {
  /** The name of the operation in the log, such as `sandbox.getStatus`. */
  label: string;
  /**
   * The path in the form of the OpenAPI document, with `{name}` for parameters. Absent if the document does not have
   * the path.
   */
  template?: string;
  /** The headers that every answer of the operation has. */
  headers?: AnswerHeaders;
}

/** What a response depends on besides its answer. */
export interface ResponseContext {
  routeInfo: RouteInfo;
  allowance: Allowance;
  method: string;
  requestId: string;
}

/** Makes the response to a call. @param onBrokenStream is called with an error that ends a body of NDJSON early */
export function respond(
  answer: ApiAnswer,
  context: ResponseContext,
  onBrokenStream: (error: unknown, context: ResponseContext) => void,
): Response {
  switch (answer.kind) {
    case "json":
      if (answer.isShared && context.method !== "HEAD") return sharedResponse(answer, context);
      return jsonResponse(answer, context);
    case "page": {
      const { status = 200, html, headers } = answer;
      const allHeaders = headersOf(context, {
        ...headers,
        "Content-Type": "text/html; charset=utf-8",
      });
      return new Response(html, { status, headers: allHeaders });
    }
    case "no_content": {
      const { "Content-Type": _, ...headers } = headersOf(context, answer.headers);
      return new Response(null, { status: 204, headers });
    }
    case "redirect":
      return redirect(answer, context);
    case "lines":
      return linesResponse(answer, context, onBrokenStream);
  }
}

/**
 * Makes a redirect. Headers about limits and the version of the API are left out, because a redirect leads a person's
 * browser to a page (decisions, "Order of work for one API request").
 */
function redirect({ location, headers }: RedirectAnswer, context: ResponseContext): Response {
  return new Response(null, {
    status: 303,
    headers: {
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": context.requestId,
      Location: location,
      ...context.routeInfo.headers,
      ...headers,
    },
  });
}

function linesResponse(
  { lines, total }: LinesAnswer,
  context: ResponseContext,
  onBrokenStream: (error: unknown, context: ResponseContext) => void,
): Response {
  const headers = headersOf(context, {
    "Content-Type": NDJSON,
    ...(total !== undefined && { "X-Total-Count": String(total) }),
  });
  // For HEAD, the body is an empty stream. Without a body, the server would declare the length 0.
  const body = context.method === "HEAD"
    ? ReadableStream.from([])
    : ndjsonBody(lines, (error) => onBrokenStream(error, context));
  return new Response(body, { headers });
}

/**
 * Makes a body from batches of lines. The next batch is made only when the connection can take more bytes, so that a
 * slow client does not fill the memory. Requests that have arrived are handled before the next batch is made, because
 * sign-ups would otherwise wait for many batches of an export.
 */
export function ndjsonBody(
  batches: AsyncIterable<readonly unknown[] | string>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  async function* chunks() {
    try {
      for await (const batch of batches) {
        if (batch.length === 0) continue;
        yield encoder.encode(typeof batch === "string" ? batch : toNdjson(batch));
        await letRequestsArrive();
      }
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  return ReadableStream.from(chunks());
}

/**
 * A response that is copied for calls of the same operation with the same `json`, the same limit, and the same seconds
 * until the end of the window. Each copy gets its own request id and number of remaining requests.
 */
interface PreparedResponse extends Pick<JsonAnswer, "json">, Pick<Allowance, "limit" | "reset"> {
  response: Response;
}

/** The last shared response of each operation. The map's key is the operation's `RouteInfo`. */
const preparedResponses = new WeakMap<RouteInfo, PreparedResponse>();

/** Clones the operation's last response if possible, because Deno clones a response faster than it makes a new one. */
function sharedResponse(answer: JsonAnswer, context: ResponseContext): Response {
  const { routeInfo, allowance: { limit, remaining, reset }, requestId } = context;
  const { json } = answer;
  let prepared = preparedResponses.get(routeInfo);
  if (prepared?.json !== json || prepared.limit !== limit || prepared.reset !== reset) {
    prepared = { json, limit, reset, response: jsonResponse(answer, context) };
    preparedResponses.set(routeInfo, prepared);
  }
  const response = prepared.response.clone();
  response.headers.set("RateLimit-Remaining", String(remaining));
  response.headers.set("X-Request-Id", requestId);
  return response;
}

function jsonResponse({ status = 200, json, headers }: JsonAnswer, context: ResponseContext) {
  const options = { status, headers: headersOf(context, headers) };
  return context.method === "HEAD"
    ? sizedResponse(context, json, options)
    : new Response(json, options);
}

/**
 * Makes a response with `Content-Length`. Without this header, the server would declare the length 0 for HEAD (RFC 9110
 * §8.6).
 */
export function sizedResponse(
  { method }: { method: string },
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(method === "HEAD" ? null : bytes, {
    status,
    headers: { ...headers, "Content-Length": String(bytes.byteLength) },
  });
}

/**
 * Gives the headers of every response of an API except a redirect (contract, "Limits" and "Versioning"), together with
 * the headers of the answer.
 */
function headersOf(
  { allowance: { limit, remaining, reset }, routeInfo, requestId }: ResponseContext,
  answerHeaders: AnswerHeaders | undefined,
): Record<string, string> {
  const headers = {
    // `Content-Type` is the first header, because Deno looks for it by comparing the headers from the first one on.
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-API-Version": "1",
    "RateLimit-Limit": String(limit.maxRequests),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(reset),
    "RateLimit-Policy": limit.policy,
    "X-Request-Id": requestId,
  };
  if (routeInfo.headers) Object.assign(headers, routeInfo.headers);
  if (answerHeaders) Object.assign(headers, answerHeaders);
  return headers;
}
