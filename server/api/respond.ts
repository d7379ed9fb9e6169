import type { Environment } from "../environment.ts";
import { type Allowance, WINDOW_SECONDS } from "../limits/fixed_window.ts";
import { describeFailure } from "./failure.ts";
import type { Outcome } from "./operation.ts";

/** On every answer: nothing of the API may be cached or taken for another media type. */
const COMMON_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** What a response is made with. */
export interface ResponseContext {
  environment: Environment;
  allowance: Allowance;
  /** Headers of every answer on the operation's path. */
  headers: Record<string, string> | undefined;
  /** Whether the request is a HEAD, whose answer has the headers of a GET and no body. */
  head: boolean;
}

/** Makes an operation's outcome a response: the one place that sets API headers, all at once. */
export function respond(outcome: Outcome, context: ResponseContext): Response {
  const { environment } = context;
  if ("seeOther" in outcome) {
    const headers = { ...COMMON_HEADERS, ...context.headers, Location: outcome.seeOther };
    return new Response(null, { status: 303, headers });
  }
  if ("failure" in outcome) {
    const { status, body, headers } = describeFailure(outcome, environment);
    return jsonResponse(status, JSON.stringify(body), headers, context);
  }
  return jsonResponse(200, outcome.json, outcome.headers, context);
}

function jsonResponse(
  status: number,
  json: string,
  headers: Record<string, string> | undefined,
  { allowance, head, headers: pathHeaders }: ResponseContext,
): Response {
  return new Response(head ? null : json, {
    status,
    headers: {
      ...COMMON_HEADERS,
      "Content-Type": "application/json",
      "X-API-Version": "1",
      "RateLimit-Limit": String(allowance.limit.requests),
      "RateLimit-Remaining": String(allowance.remaining),
      "RateLimit-Reset": String(allowance.reset),
      "RateLimit-Policy": `${allowance.limit.requests};w=${WINDOW_SECONDS}`,
      // Without it, the server would declare the empty body's length (RFC 9110 §8.6).
      ...(head && { "Content-Length": String(new TextEncoder().encode(json).byteLength) }),
      ...pathHeaders,
      ...headers,
    },
  });
}
