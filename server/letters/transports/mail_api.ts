/** Sends letters by a mail API that takes them as JSON, at the rate at which it takes them. @module */
import { setTimeout as delay } from "node:timers/promises";
import { parseRetryAfter } from "../../../shared/api_failure.ts";
import type { MailTarget } from "../../config/mod.ts";
import { DeadlineError, type Runtime, withDeadline } from "../../runtime/mod.ts";
import { type CallAnswer, type CallInit, createCaller } from "../call.ts";
import { ATTEMPT_MS, CHECK_MS, type MailTransport, type OutgoingLetter } from "../letter.ts";
import { reasonWithout, type SendOutcome, type TransportOptions } from "../letter.ts";
import { createPace } from "./pace.ts";

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
      return { kind, reason: reasonWithout(to, (error as Error).message) } as const;
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
    const said = `HTTP ${status} ${answer.text.replaceAll(token, "…")}`;
    const reason = reasonWithout(to, said);
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
