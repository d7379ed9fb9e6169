/** Calls another's server for letters and events: `POST` with a deadline, without following redirects. @module */
import { withDeadline } from "../runtime/mod.ts";

export interface CallAnswer {
  status: number;
  retryAfter: string | null;
  text: string;
}

export interface CallInit {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

/** How much of an answer is read, in bytes: enough for a message of an error. */
const MAX_ANSWER_BYTES = 2_048;

/** Makes a caller whose calls take at most `deadlineMs` milliseconds. */
export function createCaller(deadlineMs: number) {
  const closing = new AbortController();
  return {
    /** Aborts when the caller is closed. */
    closing: closing.signal,
    async post(url: string, init: CallInit): Promise<CallAnswer> {
      try {
        return await withDeadline(deadlineMs, async (late) => {
          const signals = [late, closing.signal, ...init.signal ? [init.signal] : []];
          const signal = AbortSignal.any(signals);
          const options = { method: "POST", redirect: "manual", ...init, signal } as const;
          const { status, headers, body } = await fetch(url, options);
          return { status, retryAfter: headers.get("Retry-After"), text: await beginningOf(body) };
        });
      } catch (error) {
        throw error instanceof TypeError ? withoutUrl(error, url) : error;
      }
    },
    close: () => closing.abort(new Error("The service is stopping")),
  };
}

/** Says why a call got no answer. The runtime names the URL, whose path or query may be a secret. */
function withoutUrl({ message, cause }: TypeError, url: string): Error {
  const said = cause instanceof Error ? cause.message : message;
  const { href } = new URL(url);
  return new Error(said.replaceAll(` for url (${href})`, "").replaceAll(href, "…"));
}

async function beginningOf(body: ReadableStream<Uint8Array> | null, maxBytes = MAX_ANSWER_BYTES) {
  const decoder = new TextDecoder();
  let text = "";
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= maxBytes) break;
  }
  return text.slice(0, maxBytes);
}

/** The longest text that is asked for, in bytes, and how long it may take, in milliseconds. */
const MAX_TEXT_BYTES = 20_000, GET_MS = 5_000;

/** Gets a short text. @throws where the answer is not 2xx, or there is none in time */
export function getText(url: string): Promise<string> {
  return withDeadline(GET_MS, async (signal) => {
    const { ok, status, body } = await fetch(url, { redirect: "error", signal });
    const text = await beginningOf(body, MAX_TEXT_BYTES);
    if (!ok) throw new Error(`The answer was ${status}`);
    return text;
  });
}
