import type { Environment } from "../environment.ts";
import type { Allowance } from "../limits/fixed_window.ts";
import { describeFailure } from "./failure.ts";
import type { Operation, Outcome } from "./operation.ts";

/** Where a path leads. */
export interface Route {
  /** The operation on the path, if there is one. */
  operation?: Operation;
  /** The path, where something is at it. */
  path?: string;
  /** What the log calls it, such as `sandbox.getStatus`. */
  label: string;
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

/** Makes an operation's outcome a response: the one place that sets API headers, all at once. */
export function respond(outcome: Outcome, call: Call): Response {
  if ("json" in outcome) return jsonResponse(200, outcome.json, outcome.headers, call);
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
  const { status, json, headers } = describeFailure(outcome, call.environment);
  return jsonResponse(status, json, headers, call);
}

function jsonResponse(
  status: number,
  json: string,
  further: Readonly<Record<string, string>> | undefined,
  { allowance: { limit, remaining, reset }, route: { operation }, method, requestId }: Call,
): Response {
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
  if (method !== "HEAD") return new Response(json, { status, headers });
  // A HEAD has the headers of a GET. Without this one, the server would declare the empty body's length (RFC 9110 §8.6).
  const length = new TextEncoder().encode(json).byteLength;
  return new Response(null, { status, headers: { ...headers, "Content-Length": String(length) } });
}
