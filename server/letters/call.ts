/**
 * HTTP calls to other servers: `POST` for letters and events, `GET` for short texts. Redirects are not followed.
 * @module
 */
import { withDeadline } from "../runtime/mod.ts";

export interface CallAnswer {
  status: number;
  /** The header `Retry-After` as it came. */
  retryAfter: string | null;
  /** The beginning of the body, at most {@linkcode MAX_ANSWER_BYTES}. */
  text: string;
}

export interface CallInit {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

export interface HttpCaller {
  /** The signal that aborts when the caller is closed. */
  closing: AbortSignal;
  /** Posts a body. @throws an Error if no answer comes in time; its message leaves out the URL, which may be secret */
  post: (url: string, init: CallInit) => Promise<CallAnswer>;
  /** Aborts the calls under way and all later calls. */
  close: () => void;
}

/** How much of an answer is read, in bytes. An error message is shorter. */
const MAX_ANSWER_BYTES = 2_048;

/** Makes a caller. @param deadlineMs how long a call takes at most, in milliseconds */
export function createCaller(deadlineMs: number): HttpCaller {
  const closing = new AbortController();
  return {
    closing: closing.signal,
    async post(url, init) {
      try {
        return await withDeadline(deadlineMs, async (late) => {
          const signals = [late, closing.signal, ...init.signal ? [init.signal] : []];
          const signal = AbortSignal.any(signals);
          const options = { method: "POST", redirect: "manual", ...init, signal } as const;
          const { status, headers, body } = await fetch(url, options);
          const text = await readBeginning(body, MAX_ANSWER_BYTES);
          return { status, retryAfter: headers.get("Retry-After"), text };
        });
      } catch (error) {
        throw error instanceof TypeError ? withoutUrl(error, url) : error;
      }
    },
    close: () => closing.abort(new Error("The service is stopping")),
  };
}

/** Removes the URL from an error of `fetch()`, because the URL's path or query may be secret. */
function withoutUrl({ message, cause }: TypeError, url: string): Error {
  const said = cause instanceof Error ? cause.message : message;
  const { href } = new URL(url);
  return new Error(said.replaceAll(` for url (${href})`, "").replaceAll(href, "…"));
}

async function readBeginning(body: ReadableStream<Uint8Array> | null, maxBytes: number) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the body.
    if (text.length >= maxBytes) break;
  }
  return text.slice(0, maxBytes);
}

/** The longest text that {@linkcode getText} gives, in bytes. */
const MAX_TEXT_BYTES = 20_000;

/** The longest time of a `GET`, in milliseconds. */
const GET_MS = 5_000;

/** Gets a short text. @throws an Error if the answer is not 2xx or does not come in time */
export function getText(url: string): Promise<string> {
  return withDeadline(GET_MS, async (signal) => {
    const { ok, status, body } = await fetch(url, { redirect: "error", signal });
    const text = await readBeginning(body, MAX_TEXT_BYTES);
    if (!ok) throw new Error(`The answer was ${status}`);
    return text;
  });
}
