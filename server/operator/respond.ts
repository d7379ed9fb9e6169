import { NDJSON, ndjsonBody } from "../http/ndjson.ts";
import type { Allowance } from "../limits/fixed_window.ts";
import { describeFailure } from "./failure.ts";
import type { Outcome } from "./operation.ts";

/** What a response depends on besides the outcome. */
export interface Call {
  allowance: Allowance;
  /** The value of `X-Request-Id`. */
  requestId: string;
  /** Whether the request is a HEAD, whose answer has the headers of a GET and no body. */
  head: boolean;
  /** Is told what breaks a stream. */
  onError: (error: unknown) => void;
}

/** Makes an operation's outcome a response; its headers are those of the public API. */
export function respond(outcome: Outcome, call: Call): Response {
  if ("lines" in outcome) {
    const { total } = outcome;
    const headers = {
      ...commonHeaders(call),
      "Content-Type": NDJSON,
      ...(total !== undefined && { "X-Total-Count": String(total) }),
    };
    return new Response(ndjsonBody(outcome.lines, call.onError), { headers });
  }
  if ("json" in outcome) return jsonResponse(outcome.status ?? 200, outcome.json, {}, call);
  const { status, body, headers = {} } = describeFailure(outcome);
  return jsonResponse(status, body, headers, call);
}

function jsonResponse(
  status: number,
  body: unknown,
  further: Record<string, string>,
  call: Call,
): Response {
  const text = JSON.stringify(body);
  const headers = {
    ...commonHeaders(call),
    "Content-Type": "application/json",
    ...further,
  };
  if (!call.head) return new Response(text, { status, headers });
  // Without it, the server would declare the empty body's length (RFC 9110 §8.6).
  const length = String(new TextEncoder().encode(text).byteLength);
  return new Response(null, { status, headers: { ...headers, "Content-Length": length } });
}

function commonHeaders({ allowance, requestId }: Call): Record<string, string> {
  const { limit, remaining, reset } = allowance;
  return {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-API-Version": "1",
    "RateLimit-Limit": String(limit.requests),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(reset),
    "RateLimit-Policy": limit.policy,
    "X-Request-Id": requestId,
  };
}
