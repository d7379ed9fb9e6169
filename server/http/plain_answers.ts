/** Short answers that belong to no API. @module */
import { describeFailure, errorAnswer } from "./failure.ts";
import { sizedResponse } from "./respond.ts";

export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Refuses a method on a path that takes some others, by default GET and HEAD. */
export function methodNotAllowed(methods = ["GET", "HEAD"]): Response {
  const allow = methods.join(", ");
  const { status, json, headers } = errorAnswer(
    ...describeFailure({ failure: "method_not_allowed", allow }),
  );
  return new Response(json, {
    status,
    headers: { ...headers, ...JSON_TYPE, "X-Content-Type-Options": "nosniff" },
  });
}

export const READY_PATH = "/ready";

/**
 * Answers the readiness probe: 200, or 503 and the names of what the process needs and does not have. It reads only
 * memory and no limit counts it, as probes come every few seconds.
 */
export function answerReadiness(request: Request, missing: string[]): Response {
  if (!isRead(request)) return methodNotAllowed();
  const ready = missing.length === 0;
  const json = JSON.stringify(ready ? { ready } : { ready, missing });
  return answerText(request, json, { status: ready ? 200 : 503, headers: JSON_TYPE });
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Answers with a text that no cache keeps, plain unless told otherwise; HEAD gets only the headers. */
export function answerText(
  request: Request,
  text: string,
  { status, headers }: { status: number; headers?: Readonly<Record<string, string>> },
): Response {
  return sizedResponse(request, text, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
