/**
 * Answers of one line outside of the APIs: a text, a refused method, and the readiness probe. They are made for each
 * request. @module
 */
import { describeFailure, errorAnswer } from "./failure.ts";
import { sizedResponse } from "./respond.ts";

/** Whether the method is GET or HEAD. */
export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Answers 405, for a path that accepts only the given methods, by default GET and HEAD. */
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

/** The path of the readiness probe. */
export const READY_PATH = "/ready";

/** Answers the readiness probe: 200, or 503 with the names of what is missing. */
export function answerReadiness(request: Request, missing: string[]): Response {
  if (!isRead(request)) return methodNotAllowed();
  const ready = missing.length === 0;
  const json = JSON.stringify(ready ? { ready } : { ready, missing });
  return answerText(request, json, { status: ready ? 200 : 503, headers: JSON_TYPE });
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Answers with a text that no cache stores. It is plain text by default. HEAD gets the headers only. */
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
