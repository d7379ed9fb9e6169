/**
 * Sends letters by a mail API that takes them as JSON, and keeps to the rate that the API accepts. The shape of a call
 * is that of Resend's API. @module
 */
import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { parseRetryAfter } from "../../../shared/api_failure.ts";
import type { MailTarget } from "../../config/mod.ts";
import { DeadlineError, type Runtime, withDeadline } from "../../runtime/mod.ts";
import { type CallAnswer, type CallInit, createCaller } from "../call.ts";
import {
  ATTEMPT_MS,
  CHECK_MS,
  type MailTransport,
  type OutgoingLetter,
  type SendOutcome,
  type TransportOptions,
} from "../letter.ts";
import { reasonWithout, toReason } from "../reason.ts";

const TOO_MANY_REQUESTS = 429;

/**
 * The statuses that say nothing about a letter: the API's address or token is wrong, or the API accepts no calls now.
 */
const PAUSING = [401, 403, 404, 405, TOO_MANY_REQUESTS, 502, 503, 504];

/** How long a refused call waits where the API sends no `Retry-After`, in milliseconds. */
const RETRY_MS = 1_000;

/** The longest wait between two calls of one attempt, in milliseconds. A longer wait pauses all letters. */
const MAX_RETRY_MS = 5_000;

export interface MailApiOptions extends TransportOptions, Pick<Runtime, "monotonic"> {
  api: Extract<MailTarget, { kind: "api" }>;
}

/** Makes the transport of `https:` addresses. */
export function createMailApi(options: MailApiOptions): MailTransport {
  const { api: { url, token }, from, now, monotonic, deadlineMs = ATTEMPT_MS } = options;
  const caller = createCaller(deadlineMs);
  const pace = createPace(
    monotonic,
    (ms, signal) => delay(ms, undefined, { signal: AbortSignal.any([signal, caller.closing]) }),
  );

  const authorized = { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" };

  /** Calls the API without a letter. The API refuses the call, with a status that says whether the token is right. */
  async function check(): Promise<void> {
    const init = { headers: authorized, body: "{}", signal: AbortSignal.timeout(CHECK_MS) };
    const answer = await caller.post(url, init);
    const outcome = outcomeOf(answer, from.address);
    if (answer.status !== TOO_MANY_REQUESTS && outcome.kind === "paused") {
      throw new Error(outcome.reason);
    }
  }

  async function send({ id, to, subject, text, html, parts, headers }: OutgoingLetter) {
    const mailbox = from.name ? `"${from.name}" <${from.address}>` : from.address;
    const attachments = parts.map(({ contentId, name, contentType, bytes }) => ({
      content_id: contentId,
      filename: name,
      content_type: contentType,
      content: Buffer.from(bytes).toString("base64"),
    }));
    const call = {
      headers: {
        ...authorized,
        // If the API took the letter and its answer was lost, the next attempt does not send the letter twice.
        "Idempotency-Key": id,
      },
      body: JSON.stringify({
        from: mailbox,
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
      // After a timeout, the API may have the letter and be slow with this letter only.
      const kind = error instanceof DeadlineError ? "try_later" : "paused";
      return { kind, reason: toReason((error as Error).message) } as const;
    }
  }

  /** Calls the API when its rate allows it, and again while the API refuses the call with a short `Retry-After`. */
  async function callInTurn(call: CallInit & { signal: AbortSignal }): Promise<CallAnswer> {
    const givesUpAt = monotonic() + deadlineMs / 2;
    for (;;) {
      const begunAt = await pace.turn(call.signal);
      const answer = await caller.post(url, call);
      if (answer.status !== TOO_MANY_REQUESTS) {
        if (answer.status < 300) pace.taken();
        return answer;
      }
      const retryMs = retryAfterOf(answer) ?? RETRY_MS;
      pace.refused(begunAt, Math.min(retryMs, MAX_RETRY_MS));
      if (retryMs > MAX_RETRY_MS || monotonic() + retryMs > givesUpAt) return answer;
    }
  }

  function outcomeOf(answer: CallAnswer, to: string): SendOutcome {
    const { status } = answer;
    // The API may quote the token in its answer.
    const said = answer.text.replaceAll(token, "…");
    const reason = `HTTP ${status} ${reasonWithout(to, said)}`.trimEnd();
    if (status >= 200 && status < 300) return { kind: "sent", answer: reason };
    // A 422 can also be about the sender or the call, so it ends the person's letters only if it quotes their address.
    if (status === 422) {
      return { kind: hasAddress(said, to) ? "refused_recipient" : "refused_letter", reason };
    }
    if (status >= 400 && !PAUSING.includes(status)) return { kind: "try_later", reason };
    const retryAfterMs = retryAfterOf(answer);
    return { kind: "paused", reason, ...retryAfterMs !== undefined && { retryAfterMs } };
  }

  function retryAfterOf({ retryAfter }: CallAnswer): number | undefined {
    const seconds = parseRetryAfter(retryAfter, now());
    return seconds === undefined ? undefined : 1_000 * seconds;
  }

  return { send, check, room: pace.room, close: caller.close };
}

/** Whether a text has an address as a whole, and not only as a part of a longer address. */
function hasAddress(text: string, address: string): boolean {
  return text.toLowerCase().split(/[^\w.!#$%&'*+/=?^`{|}~@-]+/)
    .some((word) => word.replace(/^[^\w]+|[^\w]+$/g, "") === address);
}

/** The time between two calls after the first refusal, in milliseconds. */
const FIRST_GAP_MS = 100;

/** The longest time between two calls, in milliseconds. */
const MAX_GAP_MS = 10_000;

/** The time between two calls below which the rate is not limited any more, in milliseconds. */
const NO_GAP_MS = 10;

/** The factor by which a refused call lengthens the time between two calls. */
const SLOWER = 1.25;

/** The factor by which a successful call shortens the time between two calls. */
const FASTER = 0.997;

/** How long letters may wait for their turns, in milliseconds. Further letters stay in the outbox, in their order. */
const QUEUE_MS = 2_000;

export interface Pace {
  /** Gives how many more calls may wait for their turns. */
  room: () => number;
  /**
   * Waits until a call may begin, and gives that moment on the monotonic clock. Calls begin in the order of arrival.
   */
  turn: (signal: AbortSignal) => Promise<number>;
  /** Notes that the API took a letter. */
  taken: () => void;
  /**
   * Notes that the API refused a call with 429.
   *
   * @param begunAt the moment that {@linkcode turn} gave for the call
   * @param retryAfterMs for how long the API takes no calls, in milliseconds
   */
  refused: (begunAt: number, retryAfterMs: number) => void;
}

/**
 * Makes the rate of calls to an API. A call that the API refuses with 429 lowers the rate, and each letter that the API
 * takes raises it a little.
 *
 * @param monotonic the monotonic clock, in milliseconds
 * @param wait waits for some milliseconds; rejects when the signal aborts
 */
export function createPace(
  monotonic: Runtime["monotonic"],
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Pace {
  /** The time between two calls, in milliseconds. It is 0 while calls need not wait. */
  let gap = 0;
  let nextAt = -Infinity;
  let slowedAt = -Infinity;
  let waiting = 0;
  /** Resolves when the last waiting call has its turn. */
  let last = Promise.resolve();
  return {
    room: () => gap === 0 ? Infinity : Math.ceil(QUEUE_MS / gap) - waiting,
    async turn(signal) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      waiting++;
      try {
        await before;
        while (nextAt > monotonic()) await wait(nextAt - monotonic(), signal);
        const begunAt = monotonic();
        nextAt = begunAt + gap;
        return begunAt;
      } finally {
        waiting--;
        resolve();
      }
    },
    taken() {
      gap = gap < NO_GAP_MS ? 0 : gap * FASTER;
    },
    refused(begunAt, retryAfterMs) {
      const at = monotonic();
      nextAt = Math.max(nextAt, at + retryAfterMs);
      // A call that began before the rate was lowered is ignored, because it says nothing about the lower rate.
      if (begunAt < slowedAt) return;
      slowedAt = at;
      gap = Math.min(Math.max(gap * SLOWER, FIRST_GAP_MS), MAX_GAP_MS);
    },
  };
}
