import { setTimeout as delay } from "node:timers/promises";
import type { SignUp } from "../../../server/waitlist/record.ts";
import { Acknowledged } from "../../support/acknowledged.ts";

/** How a load signs up. */
export interface Pace {
  /** Connections that sign up side by side. */
  connections: number;
  /** How long each waits between two sign-ups, in milliseconds. */
  pauseMs: number;
}

const AS_FAST_AS_IT_CAN: Pace = { connections: 64, pauseMs: 0 };

/** How many addresses there are to a new one that is signed up again, with other answers. */
const REPEAT_EVERY = 4;

/** Addresses whose sign-up was answered with 200, over all rounds, and what went wrong. */
export class SignUpLoad {
  readonly acknowledged = new Acknowledged();
  /** Answers to sign-ups that were no 200. There must be none: a sign-up is stored or not answered. */
  readonly refusals: string[] = [];
  readonly #run: string;
  readonly #pace: Pace;
  #sent = 0;

  /** @param run a name that sets the addresses of one run apart from another's */
  constructor(run: string, pace = AS_FAST_AS_IT_CAN) {
    this.#run = run;
    this.#pace = pace;
  }

  /** Signs up until the service is gone; resolves when no connection is left. */
  async run(baseUrl: string): Promise<void> {
    // A pool of its own: a connection to the process before this one is of no use.
    const { connections: length } = this.#pace;
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: length });
    const connections = Array.from({ length }, () => this.#connect(baseUrl, client));
    await Promise.all(connections);
  }

  async #connect(baseUrl: string, client: Deno.HttpClient): Promise<void> {
    for (;;) {
      const signUp = this.#next();
      const sentAt = Date.now();
      try {
        const response = await fetch(`${baseUrl}/api/v1/waitlist`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "X-Forwarded-For": sourceOf(this.#sent),
          },
          body: JSON.stringify({ ...signUp, consent: true }),
          client,
        });
        const text = await response.text();
        if (response.status === 200) this.acknowledged.add(signUp.email, sentAt);
        else this.refusals.push(`${response.status} ${text}`);
        if (this.#pace.pauseMs > 0) await delay(this.#pace.pauseMs);
      } catch {
        // The connection broke: this sign-up was not answered, and the process is gone.
        return;
      }
    }
  }

  /** New addresses and, in between, earlier ones with other answers, so that counters move both ways. */
  #next(): SignUp {
    const n = this.#sent++;
    const of = n % REPEAT_EVERY === 0 ? Math.floor(Math.random() * n) : n;
    return {
      email: `visitor${of}.${this.#run}@example.com`,
      ...(n % 2 === 0 && { lang: n % 4 === 0 ? "de" : "en" }),
      ...(n % 3 === 0 && { source: n % 9 === 0 ? "hero" : "cta" }),
    };
  }
}

/** Source addresses enough that no limit is met. */
function sourceOf(n: number): string {
  // Neighbours are of different networks, each of which causes 60 letters an hour.
  return `10.${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}`;
}
