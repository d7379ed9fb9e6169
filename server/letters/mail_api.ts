import type { MailTarget, Sender } from "../config/mod.ts";
import { DeadlineError } from "../deadline.ts";
import { createCaller } from "./call.ts";
import { ATTEMPT_MS, type MailTransport, reasonWithout, type SendOutcome } from "./letter.ts";

/** The settings of sending by a mail API. */
export interface MailApiOptions {
  api: Extract<MailTarget, { kind: "api" }>;
  from: Sender;
  /** How long a try may take, in milliseconds. */
  deadlineMs?: number;
}

/**
 * Answers that say nothing of a letter: the address or the token of the API is wrong, there are too many calls,
 * or the API is away.
 */
const PAUSING = [401, 403, 404, 405, 429, 502, 503, 504];

/** Sends letters by a mail API that takes them as JSON. */
export function createMailApi(options: MailApiOptions): MailTransport {
  const { api: { url, token }, from, deadlineMs = ATTEMPT_MS } = options;
  const caller = createCaller(deadlineMs);
  return {
    async send({ id, to, subject, text, html, headers }) {
      const body = JSON.stringify({ from: mailboxOf(from), to, subject, text, html, headers });
      try {
        const answer = await caller.post(url, {
          headers: {
            "Authorization": `Bearer ${token}`,
            "Content-Type": "application/json",
            // A letter that the API took without our learning of it is not sent twice.
            "Idempotency-Key": id,
          },
          body,
        });
        // An API may quote the token that it refuses.
        const said = `HTTP ${answer.status} ${answer.text.replaceAll(token, "…")}`;
        const reason = reasonWithout(to, said);
        // An API's 422 is also about the sender, or about a call that it cannot read.
        if (answer.status === 422) {
          return { kind: isNamed(to, said) ? "refused_recipient" : "refused_letter", reason };
        }
        return outcomeOf(answer.status, reason);
      } catch (error) {
        // The API may have the letter, and be slow with it alone.
        const kind = error instanceof DeadlineError ? "try_later" : "paused";
        return { kind, reason: reasonWithout(to, (error as Error).message) };
      }
    },
    close: caller.close,
  };
}

function outcomeOf(status: number, reason: string): SendOutcome {
  if (status >= 200 && status < 300) return { kind: "sent" };
  const isPausing = status < 400 || PAUSING.includes(status);
  return { kind: isPausing ? "paused" : "try_later", reason };
}

/** Whether a text names an address, and not one that only contains it. */
function isNamed(address: string, text: string): boolean {
  return text.toLowerCase().split(/[^\w.!#$%&'*+/=?^`{|}~@-]+/)
    .some((word) => word.replace(/^[^\w]+|[^\w]+$/g, "") === address);
}

/** A mailbox as it stands in a `From` header. */
function mailboxOf({ name, address }: Sender): string {
  return name ? `"${name}" <${address}>` : address;
}
