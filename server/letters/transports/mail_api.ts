/**
 * Sends letters by a mail API that accepts them as JSON. The shape of a call is that of Resend's API. `pace.ts` keeps
 * to the rate that the API accepts. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseRetryAfter } from "../../../shared/api_failure.ts";
import type { MailTarget } from "../../config/mod.ts";
import { type CallAnswer, type CallRequest, createCaller } from "../../http/mod.ts";
import { DeadlineError, type Runtime, withDeadline } from "../../runtime/mod.ts";
import {
  ATTEMPT_MS,
  CHECK_MS,
  type MailTransport,
  type OutgoingLetter,
  type SendOutcome,
  type TransportOptions,
} from "../letter.ts";
import { reasonWithoutRecipient, toReason } from "../reason.ts";
import { createPace } from "./pace.ts";

const TOO_MANY_REQUESTS = 429;

/**
 * The statuses that pause all letters, because they say nothing about a letter: the URL or the token is wrong, or the
 * API accepts no calls now.
 */
const PAUSING_STATUSES = [401, 403, 404, 405, TOO_MANY_REQUESTS, 502, 503, 504];

/** How long a refused call waits if the API sends no `Retry-After`, in milliseconds. */
const DEFAULT_RETRY_MS = 1_000;

/** The longest wait between two calls of one attempt, in milliseconds. A longer wait pauses all letters. */
const MAX_RETRY_MS = 5_000;

/** The characters at which an answer is split into words. No address that the service accepts has any of them. */
const WORD_SEPARATOR = /[^\w.!#$%&'*+/=?^`{|}~@-]+/;

/** What {@linkcode createMailApi} needs. */
export interface MailApiOptions extends TransportOptions, Pick<Runtime, "monotonic"> {
  api: Extract<MailTarget, { kind: "api" }>;
}

/** Makes the transport that calls a mail API. */
export function createMailApi(options: MailApiOptions): MailTransport {
  const { api: { url, token }, from, now, monotonic, deadlineMs = ATTEMPT_MS } = options;
  const caller = createCaller(deadlineMs);
  const pace = createPace(
    monotonic,
    (ms, signal) => delay(ms, undefined, { signal: AbortSignal.any([signal, caller.closing]) }),
  );

  const authHeaders = { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" };

  /** Calls the API without a letter. The API refuses the call, with a status that says whether the token is right. */
  async function check(): Promise<void> {
    const call = { headers: authHeaders, body: "{}", signal: AbortSignal.timeout(CHECK_MS) };
    const answer = await caller.post(url, call);
    // The call names no recipient. The sender's address takes the recipient's place, so that the reason leaves it out.
    const outcome = outcomeOf(answer, from.address);
    if (answer.status !== TOO_MANY_REQUESTS && outcome.kind === "paused") {
      throw new Error(outcome.reason);
    }
  }

  async function send({ id, to, subject, text, html, pictureFiles, headers }: OutgoingLetter) {
    const sender = from.name ? `"${from.name}" <${from.address}>` : from.address;
    const attachments = pictureFiles.map(({ contentId, name, contentType, base64 }) => ({
      content_id: contentId,
      filename: name,
      content_type: contentType,
      content: base64,
    }));
    const call = {
      headers: {
        ...authHeaders,
        // The key makes sure that the letter is not sent twice if the API took it, but the answer of the API was lost.
        "Idempotency-Key": id,
      },
      body: JSON.stringify({
        from: sender,
        to,
        subject,
        text,
        html,
        headers,
        ...attachments.length > 0 && { attachments },
      }),
    };
    try {
      const answer = await withDeadline(deadlineMs, (signal) => callInTurn({ ...call, signal }));
      return outcomeOf(answer, to);
    } catch (error) {
      // A call that took too long does not pause the other letters, because the API may be slow with this letter only.
      const kind = error instanceof DeadlineError ? "try_later" : "paused";
      return { kind, reason: toReason((error as Error).message) } as const;
    }
  }

  /**
   * Calls the API as soon as the rate allows it. If the API refuses the call with 429 and asks for a short wait,
   * repeats the call, until half of the attempt's time is over.
   */
  async function callInTurn(call: CallRequest & { signal: AbortSignal }): Promise<CallAnswer> {
    const givesUpAt = monotonic() + deadlineMs / 2;
    for (;;) {
      const begunAt = await pace.waitForTurn(call.signal);
      const answer = await caller.post(url, call);
      if (answer.status !== TOO_MANY_REQUESTS) {
        if (answer.status < 300) pace.noteTaken();
        return answer;
      }
      const retryMs = retryAfterOf(answer) ?? DEFAULT_RETRY_MS;
      pace.noteRefused(begunAt, Math.min(retryMs, MAX_RETRY_MS));
      if (retryMs > MAX_RETRY_MS || monotonic() + retryMs > givesUpAt) return answer;
    }
  }

  /** Gives the outcome of an attempt to send a letter to an address, from the answer of the API. */
  function outcomeOf(answer: CallAnswer, to: string): SendOutcome {
    const { status } = answer;
    // Removes the token, because the API may quote it in its answer.
    const text = answer.text.replaceAll(token, "…");
    const reason = `HTTP ${status} ${reasonWithoutRecipient(to, text)}`.trimEnd();
    if (status >= 200 && status < 300) return { kind: "taken", answer: reason };
    // A 422 can also be about the sender or the call, so it ends the letters to a person only if the answer quotes the
    // person's address.
    if (status === 422) {
      return { kind: hasAddress(text, to) ? "refused_recipient" : "refused_letter", reason };
    }
    if (status >= 400 && !PAUSING_STATUSES.includes(status)) return { kind: "try_later", reason };
    const retryAfterMs = retryAfterOf(answer);
    return { kind: "paused", reason, ...retryAfterMs !== undefined && { retryAfterMs } };
  }

  function retryAfterOf({ retryAfter }: CallAnswer): number | undefined {
    const seconds = parseRetryAfter(retryAfter, now());
    return seconds === undefined ? undefined : 1_000 * seconds;
  }

  return { send, check, capacity: pace.capacity, close: caller.close };
}

/** Whether a text has an address as a whole, and not only as a part of a longer address. */
function hasAddress(text: string, address: string): boolean {
  return text.toLowerCase().split(WORD_SEPARATOR)
    .some((word) => word.replace(/^[^\w]+|[^\w]+$/g, "") === address);
}
