import { type ApiFailure, quotable } from "./api_failure.ts";

/** An answer whose body has been read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/** What an exchange is made with. */
export interface ExchangeOptions {
  /** Milliseconds until the answer must have arrived, its body included. */
  timeout: number;
  fetch?: typeof fetch;
}

/**
 * Sends a request and reads the whole answer; redirects are answers and not followed, so that nothing
 * secret travels to another address. The request's own signal ends it early.
 */
export async function exchange(
  request: Request,
  options: ExchangeOptions,
): Promise<{ answer: Answer; error?: never } | { error: ApiFailure; answer?: never }> {
  const { timeout, fetch = globalThis.fetch } = options;
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), timeout);
  try {
    request.signal.throwIfAborted();
    const signal = AbortSignal.any([cut.signal, request.signal]);
    const response = await fetch(request, { signal, redirect: "manual" });
    const body = await response.text();
    return { answer: { status: response.status, headers: response.headers, body } };
  } catch (error) {
    const { origin } = new URL(request.url);
    if (request.signal.aborted) {
      return { error: { kind: "aborted", message: `The call to ${origin} was ended early` } };
    }
    if (cut.signal.aborted) {
      const message = `${origin} gave no whole answer within ${timeout / 1000} s`;
      return { error: { kind: "timed_out", message } };
    }
    const message = `Cannot get an answer from ${origin}: ${reasonOf(error)}`;
    return { error: { kind: "unreachable", message } };
  } finally {
    clearTimeout(timer);
  }
}

/** What a network error means, in a few words; the most telling message is that of its innermost cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { name, message } = error;
  if (name === "NotCapable") return "the program has no permission for it (--allow-net)";
  if (/dns error|lookup|ENOTFOUND/i.test(message)) return "its name is not known";
  if (/certificate/i.test(message)) return "its TLS certificate is not valid";
  if (/received corrupt message/i.test(message)) return "it does not speak TLS";
  if (/reading a body|end of file|closed|reset|incomplete|terminated/i.test(message)) {
    return "the connection was closed before the answer was complete";
  }
  const last = message.split(": ").at(-1) ?? "";
  return quotable(last.replace(/\(os error \d+\)/, "")).toLowerCase() || "the connection failed";
}
