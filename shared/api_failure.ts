/**
 * What an answer of the API means to its caller: data, or a failure of a certain kind. `send.ts` gets the answer. The
 * last two functions make text from outside safe to show, because messages about failures quote such text.
 *
 * @module
 */
import { isNestedTooDeep } from "./nesting.ts";
import { isObject } from "./schemas.ts";

/**
 * Why a call returned no data. A program decides by `kind` what to do. `message` is a phrase for people; it
 * has no full stop at its end and holds no secret.
 */
export type ApiFailure =
  // The comment of each kind stands inside the braces, because `deno pack` drops comments before the braces.
  | {
    /** The service refused the request: 4xx, with an error code of the contract. */
    kind: "refused";
    message: string;
    status: number;
    code: string;
  }
  | {
    /** The service did not accept the credentials or the access token: 401, 403. */
    kind: "unauthorized";
    message: string;
    status: number;
    code: string | undefined;
  }
  | {
    /** The rate limit is exceeded: 429. */
    kind: "limited";
    message: string;
    status: 429;
    code: string | undefined;
    /** The seconds to wait, from `Retry-After`; `undefined` if this header is absent or malformed. */
    retryAfter: number | undefined;
  }
  | {
    /** The service or a proxy in front of it failed (5xx), or did not get the whole request (408). */
    kind: "failed";
    message: string;
    status: number;
    code: string | undefined;
    /** The seconds to wait, from `Retry-After`; `undefined` if this header is absent or malformed. */
    retryAfter: number | undefined;
  }
  | {
    /** The answer does not come from this API. It is a redirect, a page or other JSON. */
    kind: "unexpected";
    message: string;
    status: number;
  }
  | {
    /** There was no answer, or only a part of an answer. */
    kind: "unreachable";
    message: string;
  }
  | {
    /** The whole answer did not arrive in time. */
    kind: "timed_out";
    message: string;
  }
  | {
    /** The `AbortSignal` of the caller ended the call. */
    kind: "aborted";
    message: string;
  }
  | {
    /** The operation needs credentials, and the client has none. */
    kind: "no_credentials";
    message: string;
  };

/** The result of a call: the data and the headers of the answer, or the reason why there is no data. */
export type Result<T> =
  | { data: T; headers: Headers; error?: never }
  | { error: ApiFailure; data?: never; headers?: never };

/** An answer of the service, or of a proxy in front of it: a response whose whole body has arrived. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Reads an answer of the API: returns the JSON of a success, or the failure.
 *
 * @param url the URL of the request, for messages
 * @param now the clock, in milliseconds since 1970
 */
export function readAnswer(
  answer: Answer,
  url: string,
  now: number,
): { json: unknown; error?: never } | { error: ApiFailure; json?: never } {
  const { status } = answer;
  const json = parseJson(answer);
  const isSuccess = (status === 200 || status === 201) && json !== undefined;
  return isSuccess ? { json } : { error: failureOf(answer, json, { url, now }) };
}

/** Returns the failure of an answer that is no success. @param json the body; `undefined` if it is not JSON */
function failureOf(
  answer: Answer,
  json: unknown,
  { url, now }: { url: string; now: number },
): ApiFailure {
  const { status, headers } = answer;
  const { code, text } = readErrorBody(json);
  const message = `${quotable(text ?? "") || describeMissingText(headers)} ${
    statusFrom(status, url)
  }`;
  if (status === 401 || status === 403) return { kind: "unauthorized", message, status, code };

  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  if (status === 429) return { kind: "limited", message, status, code, retryAfter };
  // 408: the service did not get the whole request, for example because it is stopping (RFC 9110 §15.5.9).
  if (status === 408 || status >= 500) return { kind: "failed", message, status, code, retryAfter };

  if (status >= 400 && code !== undefined) return { kind: "refused", message, status, code };
  return { kind: "unexpected", message: describeUnexpected(answer, url), status };
}

/** Describes an answer that does not come from this API. */
function describeUnexpected(answer: Answer, url: string): string {
  return `The answer ${natureOf(answer)} ${statusFrom(answer.status, url)}`;
}

/** Says what came in place of an answer of this API, such as `is a redirect to https://…`. */
function natureOf({ status, headers }: Answer): string {
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location) return `is a redirect to ${quotable(location)}`;
  const type = mediaTypeOf(headers);
  if (type !== "application/json") {
    return type === "" ? "is not JSON: it has no media type" : `is not JSON but ${quotable(type)}`;
  }
  return status === 200 ? "is not valid JSON" : "does not come from a waitlist service";
}

/** Returns the end of a message: the status and the URL of the answer, such as `(404 from https://…)`. */
export function statusFrom(status: number, url: string): string {
  return `(${status} from ${url})`;
}

/** Reads the body of an error: `{error, message}` or, from the token endpoint, `{error, error_description}`. */
function readErrorBody(json: unknown): { code: string | undefined; text: string | undefined } {
  const { error, message, error_description } = isObject(json) ? json : {};
  const text = message ?? error_description;
  return {
    code: typeof error === "string" ? error : undefined,
    text: typeof text === "string" ? text : undefined,
  };
}

/** Describes an error whose body has no text for people. */
function describeMissingText(headers: Headers): string {
  return isHtml(headers)
    ? "The answer is an HTML page"
    : "The answer is an error without a message";
}

/** Parses the body; returns `undefined` if it is not JSON, is nested too deep, or has another media type. */
function parseJson({ headers, body }: Answer): unknown {
  if (mediaTypeOf(headers) !== "application/json") return undefined;
  try {
    return isNestedTooDeep(body) ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether an answer is a web page, such as one of a proxy. */
export function isHtml(headers: Headers): boolean {
  return mediaTypeOf(headers) === "text/html";
}

/** Returns the media type without its parameters, in lower case; an empty text if there is none. */
function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Reads a `Retry-After` header, which has a number of seconds or a date (RFC 9110 §10.2.3). Returns the seconds to
 * wait; `undefined` if the header is absent or has another form.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // The pattern follows RFC 9110 §5.6.7. It is needed because `Date.parse()` alone also reads "-5" as a date.
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Makes text from outside safe to quote within a sentence: does the same as {@linkcode printable}, and removes a full
 * stop at the end.
 */
export function quotable(text: string, maxLength?: number): string {
  return printable(text, maxLength).replace(/\.$/, "");
}

/**
 * Makes text from outside safe to print: on one line, cut after `maxLength` characters, and without control characters,
 * which could change a terminal's display.
 */
export function printable(text: string, maxLength = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
