import { type ApiFailure, quotable } from "./api_failure.ts";
import type { Answer } from "./exchange.ts";
import { parseRetryAfter } from "./retry_after.ts";
import { isObject } from "./shapes.ts";

/**
 * Takes an answer of the API apart: the JSON of a success, or what kind of failure it is.
 *
 * @param url the address that was asked, for messages
 * @param now the clock, in milliseconds since 1970
 */
export function readAnswer(
  answer: Answer,
  url: string,
  now: number,
): { json: unknown; error?: never } | { error: ApiFailure; json?: never } {
  const { status, headers } = answer;
  const json = parseJson(answer);
  if ((status === 200 || status === 201) && json !== undefined) return { json };

  const { code, text } = errorOf(json);
  const said = text === undefined ? "" : `: ${quotable(text)}`;
  const message = `${url} answered ${status}${said}`;
  if (status === 401 || status === 403) {
    return { error: { kind: "unauthorized", message, status, code } };
  }
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  if (status === 429) return { error: { kind: "limited", message, status, code, retryAfter } };
  // 408: the service did not get the whole request, as when it stops meanwhile (RFC 9110 §15.5.9).
  if (status === 408 || status >= 500) {
    return { error: { kind: "failed", message, status, code, retryAfter } };
  }
  if (status >= 400 && code !== undefined) {
    return { error: { kind: "refused", message, status, code } };
  }
  return { error: { kind: "unexpected", message: describeStranger(answer, url), status } };
}

/** Says what an answer is that this API does not give. */
function describeStranger({ status, headers }: Answer, url: string): string {
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location) {
    return `${url} redirects to ${quotable(location)}`;
  }
  const type = mediaTypeOf(headers);
  if (type === "application/json") {
    return status === 200
      ? `${url} answered JSON that is not valid`
      : `${url} answered ${status}, which is not an answer of this API`;
  }
  return `${url} answered ${status} with ${quotable(type) || "no media type"} where JSON belongs`;
}

/** Both error bodies, `{error, message}` and `{error, error_description}`. */
function errorOf(json: unknown): { code: string | undefined; text: string | undefined } {
  const { error, message, error_description } = isObject(json) ? json : {};
  const text = message ?? error_description;
  return {
    code: typeof error === "string" ? error : undefined,
    text: typeof text === "string" ? text : undefined,
  };
}

/** The body as JSON; `undefined` where it is none or does not say that it is. */
function parseJson({ headers, body }: Answer): unknown {
  if (mediaTypeOf(headers) !== "application/json") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}
