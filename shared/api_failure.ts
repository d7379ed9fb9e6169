/**
 * Why a call gave no data. `kind` says what to do about it; `message` is a phrase for people, without
 * a full stop, that holds no secret.
 */
export type ApiFailure =
  /** The service refused what was sent: 4xx, with the contract's machine code. */
  | { kind: "refused"; message: string; status: number; code: string }
  /** The credentials or the access token were not accepted: 401, 403. */
  | { kind: "unauthorized"; message: string; status: number; code: string | undefined }
  /** The limit of the window is used up: 429. `retryAfter` is in seconds, where the service says it. */
  | {
    kind: "limited";
    message: string;
    status: 429;
    code: string | undefined;
    retryAfter: number | undefined;
  }
  /**
   * The service, or something in front of it, failed: 5xx, or did not get the whole request: 408.
   * `retryAfter` as above.
   */
  | {
    kind: "failed";
    message: string;
    status: number;
    code: string | undefined;
    retryAfter: number | undefined;
  }
  /** Something answered, but not as this API does: a redirect, a page, another JSON. */
  | { kind: "unexpected"; message: string; status: number }
  /** No answer, or only half of one. */
  | { kind: "unreachable"; message: string }
  /** No whole answer in time. */
  | { kind: "timed_out"; message: string }
  /** The caller's `AbortSignal` ended the call. */
  | { kind: "aborted"; message: string }
  /** The operation needs credentials, and the client was given none. */
  | { kind: "no_credentials"; message: string };

/** The outcome of a call: data with the headers it came with, or the reason why there is none. */
export type Result<T> =
  | { data: T; headers: Headers; error?: never }
  | { error: ApiFailure; data?: never; headers?: never };

/**
 * Makes text of somebody else safe to show in a sentence: one line, without control characters (which
 * could steer a terminal), of bounded length, without the full stop at its end.
 */
export function quotable(text: string, maxLength = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  return cut.replace(/\.$/, "");
}
