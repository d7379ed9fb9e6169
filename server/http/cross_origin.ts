/**
 * CORS: lets scripts on pages of other origins call an operation and read its answer (Fetch standard, "HTTP-CORS
 * protocol"). @module
 */
import type { ApiAnswer } from "./answer.ts";

/**
 * The headers of an answer that a script of another origin may read. Without this permission, the script may read only
 * a few headers, such as `Content-Type`.
 */
const EXPOSED_HEADERS = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
  "Retry-After",
];

/**
 * The header that lets pages of other sites load the answer, even if these pages have the header
 * `Cross-Origin-Embedder-Policy`.
 */
export const LOADABLE_BY_OTHER_SITES = { "Cross-Origin-Resource-Policy": "cross-origin" };

/** How long a browser may store the answer to a preflight, in seconds. It is the longest time that Chromium accepts. */
const PREFLIGHT_MAX_AGE = 7_200;

/**
 * Makes the headers with which a browser lets a script read the answer; `undefined` if the request does not come from a
 * script whose origin is in `origins`.
 *
 * @param headers the headers of the request
 */
export function corsHeaders(
  origins: ReadonlySet<string>,
  headers: Headers,
): Record<string, string> | undefined {
  const origin = headers.get("origin");
  if (origin === null || !origins.has(origin)) return undefined;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
    "Vary": "Origin",
  };
}

/**
 * Answers the preflight of a script that wants to POST JSON. Gives `undefined` for any other request, and for a script
 * whose origin is not in `origins`.
 */
export function answerPreflight(
  origins: ReadonlySet<string> | undefined,
  { method, headers }: Request,
): ApiAnswer | undefined {
  const isPreflight = method === "OPTIONS" &&
    headers.get("access-control-request-method") === "POST";
  const originHeaders = isPreflight && origins && corsHeaders(origins, headers);
  if (!originHeaders) return undefined;
  return {
    kind: "no_content",
    headers: {
      ...originHeaders,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers": "content-type",
      "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE),
    },
  };
}
