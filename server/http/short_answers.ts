/**
 * Short answers outside of the APIs: a text, a refused method, and the answer to the readiness probe. They are made
 * anew for each request. @module
 */
import { describeFailure, errorAnswer } from "./failure.ts";
import { sizedResponse } from "./respond.ts";

/** The path of the readiness probe. */
export const READY_PATH = "/ready";

const JSON_TYPE = { "Content-Type": "application/json" };

/** Whether the method is GET or HEAD. */
export const isGetOrHead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Answers 405 to a method that the path does not accept. @param methods the methods that the path accepts */
export function methodNotAllowed(methods = ["GET", "HEAD"]): Response {
  const allow = methods.join(", ");
  const { status, json, headers } = errorAnswer(
    describeFailure({ failure: "method_not_allowed", allow }),
  );
  return new Response(json, {
    status,
    headers: { ...headers, ...JSON_TYPE, "X-Content-Type-Options": "nosniff" },
  });
}

/** Answers the readiness probe: 200 if nothing is missing, otherwise 503 with the names of what is missing. */
export function answerReadiness(request: Request, missingParts: string[]): Response {
  if (!isGetOrHead(request)) return methodNotAllowed();
  const isReady = missingParts.length === 0;
  const json = JSON.stringify(isReady ? { ready: true } : { ready: false, missing: missingParts });
  return answerText(request, json, { status: isReady ? 200 : 503, headers: JSON_TYPE });
}

/** Answers with a text, plain text by default, which no cache may store. HEAD gets only the headers. */
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
