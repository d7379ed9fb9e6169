import type { Allowance, Limit } from "../limits/fixed_window.ts";
import { NDJSON, ndjsonBody } from "./ndjson.ts";

/** JSON text to answer with. */
export interface JsonAnswer {
  /** 200 where it is absent. */
  status?: number;
  json: string;
  headers?: Readonly<Record<string, string>>;
  /**
   * Whether many calls get this answer, so that it pays to prepare the response. On one path, shared
   * answers with the same text have the same status and headers.
   */
  shared?: boolean;
  /** What the log says of an answer of 500; it is never sent. */
  cause?: string;
}

/** An answer on the wire: JSON, a redirect with 303, or NDJSON in batches of values or of their text. */
export type Answer =
  | JsonAnswer
  | { seeOther: string }
  | {
    lines: AsyncIterable<readonly unknown[] | string>;
    /** How many records the lines go through, for `X-Total-Count`. */
    total?: number | undefined;
  };

/** An answer of a value as JSON. */
export function jsonAnswer(value: unknown, status = 200): JsonAnswer {
  return { status, json: JSON.stringify(value) };
}

/** What the answers on one path have in common. */
export interface Place {
  /** What the log calls it, such as `sandbox.getStatus`. */
  label: string;
  /** The path with its parameters as `{…}`; absent where nothing is at the path. */
  template?: string;
  /** Headers of every answer. */
  headers?: Readonly<Record<string, string>>;
  /** The latest response to a shared answer. */
  prepared?: PreparedResponse;
}

/** A response that is the same, but for count and id, for all calls that share an answer, a limit and a second. */
interface PreparedResponse {
  json: string;
  limit: Limit;
  reset: number;
  response: Response;
}

/** What a response depends on besides the answer. */
export interface ResponseContext {
  place: Place;
  allowance: Allowance;
  method: string;
  /** The value of `X-Request-Id`. */
  requestId: string;
}

/**
 * Makes an answer a response: the one place that sets the headers of an API.
 *
 * @param onBrokenStream is told what breaks off a stream of lines
 */
export function respond(
  answer: Answer,
  context: ResponseContext,
  onBrokenStream: (error: unknown, context: ResponseContext) => void,
): Response {
  if ("json" in answer) {
    if (context.method === "HEAD") return headResponse(answer, context);
    return answer.shared ? sharedResponse(answer, context) : jsonResponse(answer, context);
  }
  if ("lines" in answer) {
    const { total } = answer;
    const headers = headersOf(context, {
      "Content-Type": NDJSON,
      ...(total !== undefined && { "X-Total-Count": String(total) }),
    });
    const body = ndjsonBody(answer.lines, (error) => onBrokenStream(error, context));
    return new Response(body, { headers });
  }
  return new Response(null, {
    status: 303,
    headers: {
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": context.requestId,
      Location: answer.seeOther,
      ...context.place.headers,
    },
  });
}

/** Clones a prepared response, which Deno does in a fraction of the time that a new one takes. */
function sharedResponse(answer: JsonAnswer, context: ResponseContext): Response {
  const { place, allowance: { limit, remaining, reset }, requestId } = context;
  const { json } = answer;
  let { prepared } = place;
  if (prepared?.json !== json || prepared.limit !== limit || prepared.reset !== reset) {
    prepared = { json, limit, reset, response: jsonResponse(answer, context) };
    place.prepared = prepared;
  }
  const response = prepared.response.clone();
  response.headers.set("RateLimit-Remaining", String(remaining));
  response.headers.set("X-Request-Id", requestId);
  return response;
}

function jsonResponse(
  { status = 200, json, headers }: JsonAnswer,
  context: ResponseContext,
): Response {
  return new Response(json, { status, headers: headersOf(context, headers) });
}

/**
 * A HEAD has the headers of a GET; without a length, the server would declare the empty body's
 * (RFC 9110 §8.6).
 */
function headResponse(
  { status = 200, json, headers }: JsonAnswer,
  context: ResponseContext,
): Response {
  const length = String(new TextEncoder().encode(json).byteLength);
  const all = headersOf(context, { ...headers, "Content-Length": length });
  return new Response(null, { status, headers: all });
}

/** The headers of every answer of an API (decisions, "Order of work"), and further ones. */
function headersOf(
  { allowance: { limit, remaining, reset }, place, requestId }: ResponseContext,
  further: JsonAnswer["headers"],
): Record<string, string> {
  const headers = {
    // First, as Deno looks for it header by header.
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-API-Version": "1",
    "RateLimit-Limit": String(limit.requests),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(reset),
    "RateLimit-Policy": limit.policy,
    "X-Request-Id": requestId,
  };
  if (place.headers) Object.assign(headers, place.headers);
  if (further) Object.assign(headers, further);
  return headers;
}
