/** Sends letters by a mail API that takes them as JSON, at the rate at which it takes them. @module */
import { setTimeout as delay } from "node:timers/promises";
import { parseRetryAfter } from "../../../shared/api_failure.ts";
import type { MailTarget } from "../../config/mod.ts";
import { DeadlineError, type Runtime, withDeadline } from "../../runtime/mod.ts";
import { type CallAnswer, type CallInit, createCaller } from "../call.ts";
import { ATTEMPT_MS, CHECK_MS, type MailTransport, type OutgoingLetter } from "../letter.ts";
import { reasonWithout, type SendOutcome, toReason, type TransportOptions } from "../letter.ts";

const TOO_MANY = 429;

/** Answers that say nothing of a letter: a wrong address or token of the API, too many calls, or no API. */
const PAUSING = [401, 403, 404, 405, TOO_MANY, 502, 503, 504];

/** How long to wait where an API does not say it, and the longest time for which a letter waits, in milliseconds. */
const RETRY_MS = 1_000, MAX_RETRY_MS = 5_000;

export function createMailApi(
  options: TransportOptions & Pick<Runtime, "monotonic"> & {
    api: Extract<MailTarget, { kind: "api" }>;
  },
): MailTransport {
  const { api: { url, token }, from, now, monotonic, deadlineMs = ATTEMPT_MS } = options;
  const caller = createCaller(deadlineMs);
  const pace = createPace(
    monotonic,
    (ms, signal) => delay(ms, undefined, { signal: AbortSignal.any([signal, caller.closing]) }),
  );

  const authorized = { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" };

  /** A call without a letter is refused in any case; how, tells whether the API knows the token. */
  async function check(): Promise<void> {
    const init = { headers: authorized, body: "{}", signal: AbortSignal.timeout(CHECK_MS) };
    const answer = await caller.post(url, init);
    const outcome = outcomeOf(answer, from.address);
    if (answer.status !== TOO_MANY && outcome.kind === "paused") throw new Error(outcome.reason);
  }

  async function send({ id, to, subject, text, html, headers }: OutgoingLetter) {
    const mailbox = from.name ? `"${from.name}" <${from.address}>` : from.address;
    const call = {
      headers: {
        ...authorized,
        // A letter that the API took without our learning of it is not sent twice.
        "Idempotency-Key": id,
      },
      body: JSON.stringify({ from: mailbox, to, subject, text, html, headers }),
    };
    try {
      const answer = await withDeadline(deadlineMs, (signal) => callInTurn({ ...call, signal }));
      return outcomeOf(answer, to);
    } catch (error) {
      // The API may have the letter, and be slow with it alone.
      const kind = error instanceof DeadlineError ? "try_later" : "paused";
      return { kind, reason: toReason((error as Error).message) } as const;
    }
  }

  async function callInTurn(call: CallInit & { signal: AbortSignal }): Promise<CallAnswer> {
    const givesUpAt = monotonic() + deadlineMs / 2;
    for (;;) {
      const begunAt = await pace.turn(call.signal);
      const answer = await caller.post(url, call);
      if (answer.status !== TOO_MANY) {
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
    // An API may quote the token.
    const said = answer.text.replaceAll(token, "…");
    const reason = `HTTP ${status} ${reasonWithout(to, said)}`.trimEnd();
    if (status >= 200 && status < 300) return { kind: "sent", answer: reason };
    // An API's 422 is also about the sender, or about a call that it cannot read.
    if (status === 422) {
      return { kind: isNamed(to, said) ? "refused_recipient" : "refused_letter", reason };
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

/** Whether a text names an address, and not one that only contains it. */
function isNamed(address: string, text: string): boolean {
  return text.toLowerCase().split(/[^\w.!#$%&'*+/=?^`{|}~@-]+/)
    .some((word) => word.replace(/^[^\w]+|[^\w]+$/g, "") === address);
}

/** Times between two calls, in milliseconds: after the first refusal, the longest one, and one too short to keep. */
const FIRST_GAP_MS = 100, MAX_GAP_MS = 10_000, NO_GAP_MS = 10;

/** By how much a refused call lengthens the time between two calls, and a call that was taken shortens it. */
const SLOWER = 1.25, FASTER = 0.997;

/** How long letters may wait for their turns, in milliseconds: later ones stay in the outbox, in their order. */
const HOLD_MS = 2_000;

/** Makes the rate of calls: one that is refused as one too many lowers it, each that is taken raises it a little. */
export function createPace(
  monotonic: Runtime["monotonic"],
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>,
) {
  /** The time between two calls, in milliseconds; 0 if no call has to wait for another. */
  let gap = 0;
  let nextAt = -Infinity;
  let slowedAt = -Infinity;
  let waiting = 0;
  /** Resolves when the last of those that wait has its turn. */
  let last = Promise.resolve();
  return {
    /** Gives how many more calls may wait for their turns. */
    room: () => gap === 0 ? Infinity : Math.ceil(HOLD_MS / gap) - waiting,
    /** Waits until a call may begin; gives that moment. Calls begin in the order in which they came. */
    async turn(signal: AbortSignal): Promise<number> {
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
    taken(): void {
      gap = gap < NO_GAP_MS ? 0 : gap * FASTER;
    },
    /** Notes that the API refused a call as one too many, and for how long it takes none, in milliseconds. */
    refused(begunAt: number, retryAfterMs: number): void {
      const at = monotonic();
      nextAt = Math.max(nextAt, at + retryAfterMs);
      // Calls that were under way at that time tell nothing of the rate since then.
      if (begunAt < slowedAt) return;
      slowedAt = at;
      gap = Math.min(Math.max(gap * SLOWER, FIRST_GAP_MS), MAX_GAP_MS);
    },
  };
}
