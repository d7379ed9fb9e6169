/** What lets scripts of other sites call an operation, and read its answer (Fetch standard, "HTTP-CORS protocol"). @module */
import type { ApiAnswer } from "./respond.ts";

/** What a script may read of an answer, besides its body: its limits. */
const EXPOSED = ["Limit", "Remaining", "Reset", "Policy"].map((name) => `RateLimit-${name}`);

/** The header of what a page of another site may load, whatever its policy. */
export const FOR_OTHER_SITES = { "Cross-Origin-Resource-Policy": "cross-origin" };

/** For how many seconds a browser may keep the answer to a preflight; Chromium takes no more. */
const MAX_AGE = 7_200;

/** The headers by which the script that called can read an answer; absent where its origin may not. */
export function corsHeaders(
  origins: ReadonlySet<string>,
  headers: Headers,
): Record<string, string> | undefined {
  const origin = headers.get("origin");
  if (origin === null || !origins.has(origin)) return undefined;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": [...EXPOSED, "Retry-After"].join(", "),
    "Vary": "Origin",
  };
}

/** Answers a browser that asks whether a script may POST JSON; nothing where it may not. */
export function answerPreflight(
  origins: ReadonlySet<string> | undefined,
  { method, headers }: Request,
): ApiAnswer | undefined {
  const isPreflight = method === "OPTIONS" &&
    headers.get("access-control-request-method") === "POST";
  const allowed = isPreflight && origins && corsHeaders(origins, headers);
  if (!allowed) return undefined;
  return {
    noContent: {
      ...allowed,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers": "content-type",
      "Access-Control-Max-Age": String(MAX_AGE),
    },
  };
}
