/**
 * Calls to another's server, for letters and for events: `POST` with a deadline, without following redirects.
 *
 * @module
 */
import { withDeadline } from "../deadline.ts";

/** What a server answered. */
export interface CallAnswer {
  status: number;
  /** The beginning of the body. */
  text: string;
}

/** Makes calls, and ends them when it is closed. */
export interface Caller {
  post: (
    url: string,
    init: { headers: Record<string, string>; body: string },
  ) => Promise<CallAnswer>;
  /** Ends all calls at once. */
  close: () => void;
}

/** How much of an answer is read, in bytes: enough for a message of an error. */
const MAX_ANSWER_BYTES = 2_048;

/** Makes a caller whose calls take at most `deadlineMs` milliseconds. */
export function createCaller(deadlineMs: number): Caller {
  const calls = new Set<AbortController>();
  return {
    async post(url, init) {
      const call = new AbortController();
      calls.add(call);
      try {
        return await withDeadline(deadlineMs, async (late) => {
          const signal = AbortSignal.any([late, call.signal]);
          const response = await fetch(url, {
            method: "POST",
            redirect: "manual",
            ...init,
            signal,
          }).catch((error) => {
            throw signal.aborted ? error : new Error(whyUnreached(error));
          });
          return { status: response.status, text: await beginningOf(response) };
        });
      } finally {
        calls.delete(call);
      }
    },
    close() {
      for (const call of calls) call.abort(new Error("The service is stopping"));
    },
  };
}

/** Says why a server was not reached, without its address, which may hold a secret. */
function whyUnreached({ message, cause }: Error): string {
  // Deno's own message is "fetch failed". That of the cause names the address first, in which no space stands.
  const [, why] =
    /^[^(]+ for url \(\S*\): (.+)$/s.exec((cause as Error | undefined)?.message ?? "") ?? [];
  return why ?? message;
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_ANSWER_BYTES) break;
  }
  return text.slice(0, MAX_ANSWER_BYTES);
}
