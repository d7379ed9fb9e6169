import { NDJSON, ndjsonBody } from "../http/ndjson.ts";
import { type Allowance, WINDOW_SECONDS } from "../limits/fixed_window.ts";
import { describeFailure } from "./failure.ts";
import type { Outcome } from "./operation.ts";

/** What a response depends on besides the outcome. */
export interface Call {
  allowance: Allowance;
  /** Whether the request is a HEAD, whose answer has the headers of a GET and no body. */
  head: boolean;
  /** Is told what breaks a stream. */
  onError: (error: unknown) => void;
}

/** Makes an operation's outcome a response; its headers are those of the public API. */
export function respond(outcome: Outcome, call: Call): Response {
  if ("lines" in outcome) {
    const headers = { ...limitHeaders(call.allowance), "Content-Type": NDJSON };
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
  { allowance, head }: Call,
): Response {
  const text = JSON.stringify(body);
  const headers = {
    ...limitHeaders(allowance),
    "Content-Type": "application/json",
    ...further,
  };
  if (!head) return new Response(text, { status, headers });
  // Without it, the server would declare the empty body's length (RFC 9110 §8.6).
  const length = String(new TextEncoder().encode(text).byteLength);
  return new Response(null, { status, headers: { ...headers, "Content-Length": length } });
}

function limitHeaders({ limit, remaining, reset }: Allowance): Record<string, string> {
  return {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-API-Version": "1",
    "RateLimit-Limit": String(limit.requests),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(reset),
    "RateLimit-Policy": `${limit.requests};w=${WINDOW_SECONDS}`,
  };
}
