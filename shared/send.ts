/**
 * Sends a request of the API, and sends it again after the time that `Retry-After` names. `api_failure.ts` says what the
 * answer means.
 *
 * @module
 */
import { type Answer, type ApiFailure, quotable, readAnswer, type Result } from "./api_failure.ts";
import type { Clock } from "./clock.ts";

/** The options of {@linkcode exchange}. */
export interface ExchangeOptions {
  /** The time until the whole answer must have arrived, in milliseconds. */
  timeout: number;
  fetch?: typeof fetch;
}

/** The options of {@linkcode send}. */
export interface SendOptions extends ExchangeOptions {
  /** The longest time that one call waits because of `Retry-After`, in milliseconds. */
  maxWait: number;
  clock: Clock;
}

/**
 * Sends a request for JSON. After a 408, 429 or 5xx with `Retry-After`, it waits for the time in this header and sends
 * the request again, because a repetition does no harm: all operations of the public API may be repeated, and the
 * operator surface answers in this way only to calls that may be repeated. All waits together take no longer than
 * `maxWait`.
 */
export async function send(request: Request, options: SendOptions): Promise<Result<unknown>> {
  const { clock, maxWait } = options;
  for (let waitedMs = 0;;) {
    const { answer, error } = await exchange(request.clone(), options);
    if (error) return { error };
    const outcome = readAnswer(answer, request.url, clock.now());
    if (!outcome.error) return { data: outcome.json, headers: answer.headers };
    const seconds = "retryAfter" in outcome.error ? outcome.error.retryAfter : undefined;
    if (seconds === undefined) return outcome;
    // The pause is at least one second, because with `Retry-After: 0` the loop would send requests without any pause.
    const pauseMs = Math.max(1, seconds) * 1000;
    waitedMs += pauseMs;
    if (waitedMs > maxWait) return outcome;
    await clock.wait(pauseMs, request.signal);
  }
}

/**
 * Sends a request and reads the whole answer. It follows no redirect, because a redirect could send a secret to
 * another host. The signal in `request` ends the call early.
 */
export async function exchange(
  request: Request,
  options: ExchangeOptions,
): Promise<{ answer: Answer; error?: never } | { error: ApiFailure; answer?: never }> {
  const { timeout, fetch = globalThis.fetch } = options;
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(), timeout);
  try {
    request.signal.throwIfAborted();
    const signal = AbortSignal.any([timeLimit.signal, request.signal]);
    const response = await fetch(request, { signal, redirect: "manual" });
    const body = await response.text();
    return { answer: { status: response.status, headers: response.headers, body } };
  } catch (error) {
    const { origin } = new URL(request.url);
    if (request.signal.aborted) {
      return { error: { kind: "aborted", message: `The call to ${origin} was ended early` } };
    }
    if (timeLimit.signal.aborted) {
      const message = `No whole answer came from ${origin} within ${timeout / 1000} s`;
      return { error: { kind: "timed_out", message } };
    }
    const message = `Cannot get an answer from ${origin}: ${describeNetworkError(error)}`;
    return { error: { kind: "unreachable", message } };
  } finally {
    clearTimeout(timer);
  }
}

/** Describes a network error in a few words. It uses the message of the innermost cause. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  if (error.cause instanceof Error) return describeNetworkError(error.cause);
  const { name, message } = error;
  if (name === "NotCapable") {
    return "Deno does not permit the program to call this host without --allow-net";
  }
  if (/dns error|lookup|ENOTFOUND/i.test(message)) return "DNS does not know the host name";
  if (/certificate/i.test(message)) {
    return "the TLS certificate of the server is not trusted; if a private authority has signed this certificate, set " +
      "DENO_CERT (on Node, NODE_EXTRA_CA_CERTS) to the file with that authority's own certificate";
  }
  if (/received corrupt message/i.test(message)) {
    return "the server at this URL does not speak TLS (https:)";
  }
  if (/reading a body|end of file|closed|reset|incomplete|terminated/i.test(message)) {
    return "the connection was closed before the answer was complete";
  }
  if (/refused/i.test(message)) return "the connection was refused";
  const lastPart = message.split(": ").at(-1) ?? "";
  const reason = quotable(lastPart.replace(/\(os error \d+\)/, "")).toLowerCase();
  return reason === "" ? "the connection failed" : `the connection failed with '${reason}'`;
}
