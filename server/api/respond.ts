import type { Environment } from "../environment.ts";
import type { Allowance, Limit } from "../limits/fixed_window.ts";
import { describeFailure } from "./failure.ts";
import type { JsonAnswer } from "./json_answer.ts";
import type { Operation, Outcome } from "./operation.ts";

/** Where a path leads. */
export interface Route {
  /** The operation on the path, if there is one. */
  operation?: Operation;
  /** The path, where something is at it. */
  path?: string;
  /** What the log calls it, such as `sandbox.getStatus`. */
  label: string;
  /** The latest response of a shared answer on the path. */
  prepared?: Prepared;
}

/** A response that is the same, but for count and id, for all calls that share an answer, a limit and a second. */
interface Prepared {
  json: string;
  limit: Limit;
  reset: number;
  response: Response;
}

/** A request under way, as far as its response depends on it. */
export interface Call {
  environment: Environment;
  route: Route;
  allowance: Allowance;
  method: string;
  /** The value of `X-Request-Id`. */
  requestId: string;
}

/** Makes an operation's outcome a response: the one place that sets API headers. */
export function respond(outcome: Outcome, call: Call): Response {
  if ("json" in outcome) return respondWithJson(outcome, call);
  if ("seeOther" in outcome) {
    return new Response(null, {
      status: 303,
      headers: {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "X-Request-Id": call.requestId,
        Location: outcome.seeOther,
        ...call.route.operation?.headers,
      },
    });
  }
  return respondWithJson(describeFailure(outcome, call.environment), call);
}

function respondWithJson(answer: JsonAnswer, call: Call): Response {
  if (call.method === "HEAD") return headResponse(answer, call);
  return answer.shared ? sharedResponse(answer, call) : jsonResponse(answer, call);
}

/** Clones a prepared response, which Deno does in a fraction of the time that a new one takes. */
function sharedResponse(answer: JsonAnswer, call: Call): Response {
  const { route, allowance: { limit, remaining, reset }, requestId } = call;
  const { json } = answer;
  let { prepared } = route;
  if (prepared?.json !== json || prepared.limit !== limit || prepared.reset !== reset) {
    prepared = { json, limit, reset, response: jsonResponse(answer, call) };
    route.prepared = prepared;
  }
  const response = prepared.response.clone();
  response.headers.set("RateLimit-Remaining", String(remaining));
  response.headers.set("X-Request-Id", requestId);
  return response;
}

function jsonResponse({ status = 200, json, headers }: JsonAnswer, call: Call): Response {
  return new Response(json, { status, headers: headersOf(call, headers) });
}

/** A HEAD has the headers of a GET; without a length, the server would declare the empty body's (RFC 9110 §8.6). */
function headResponse({ status = 200, json, headers }: JsonAnswer, call: Call): Response {
  const length = String(new TextEncoder().encode(json).byteLength);
  const all = headersOf(call, { ...headers, "Content-Length": length });
  return new Response(null, { status, headers: all });
}

function headersOf(
  { allowance: { limit, remaining, reset }, route: { operation }, requestId }: Call,
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
  if (operation?.headers) Object.assign(headers, operation.headers);
  if (further) Object.assign(headers, further);
  return headers;
}
