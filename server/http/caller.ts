/**
 * Posts to other servers: to the mail API, the webhook and the collector of metrics. Redirects are not followed,
 * because a call may have a secret. `readBeginning()` reads only so much of an answer as the caller needs. @module
 */
import { withDeadline } from "../runtime/mod.ts";

/** How much of the answer to a `POST` is kept, in characters (UTF-16 code units). It is enough for an error message. */
const MAX_ANSWER_LENGTH = 2_048;

/** The answer of another server. */
export interface CallAnswer {
  status: number;
  /** The value of the header `Retry-After`, not parsed; `null` if the answer has no such header. */
  retryAfter: string | null;
  /** The beginning of the body, at most {@linkcode MAX_ANSWER_LENGTH} characters. */
  text: string;
}

/** What is sent to another server. */
export interface CallRequest {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

/** Posts to other servers until it is closed. */
export interface HttpCaller {
  /** The signal that aborts when the caller is closed. */
  closing: AbortSignal;
  /**
   * Posts a body. @throws an Error if the call fails or takes too long; its message leaves out the URL, which may be
   * secret
   */
  post: (url: string, request: CallRequest) => Promise<CallAnswer>;
  /** Aborts the calls under way and all later calls. */
  close: () => void;
}

/** Makes a caller. @param deadlineMs how long a call takes at most, in milliseconds */
export function createCaller(deadlineMs: number): HttpCaller {
  const closing = new AbortController();
  return {
    closing: closing.signal,
    async post(url, request) {
      try {
        return await withDeadline(deadlineMs, async (deadlineSignal) => {
          const signals = [deadlineSignal, closing.signal];
          if (request.signal) signals.push(request.signal);
          const signal = AbortSignal.any(signals);
          const options = { method: "POST", redirect: "manual", ...request, signal } as const;
          const { status, headers, body } = await fetch(url, options);
          const text = await readBeginning(body, MAX_ANSWER_LENGTH);
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
  // The message of `fetch()` itself only says that the call failed. The cause says why.
  const reason = cause instanceof Error ? cause.message : message;
  const { href } = new URL(url);
  return new Error(reason.replaceAll(` for url (${href})`, "").replaceAll(href, "…"));
}

/** Reads the beginning of a body as text. @param maxLength the longest beginning, in characters (UTF-16 code units) */
export async function readBeginning(
  body: ReadableStream<Uint8Array> | null,
  maxLength: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop early cancels the body.
    if (text.length >= maxLength) break;
  }
  return text.slice(0, maxLength);
}
