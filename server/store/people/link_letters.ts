/**
 * Puts the letters with links to self-service pages into the outbox, for people who have asked for their link. The work
 * for an address begins after a random time, so that no duration tells whether the address is on the list. @module
 */
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { askForLink } from "../../waitlist/mod.ts";
import { Batcher, checksFor, type Kv, untilAborted } from "../kv/mod.ts";
import { letterDelayOf, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./commit.ts";

/** How many addresses wait at the same time at most for the letter with their link. */
const MAX_WAITING = 10_000;

/** The longest time until the work for an address begins, in milliseconds. */
const MAX_DELAY_MS = 2_000;

/** The functions that send people the links to their self-service pages. */
export interface LinkLetters {
  /**
   * Puts the letter with the link to the self-service page into the outbox, within the letter limits, if the address is
   * on the list. Without mail, it does nothing. It returns at once, and the work begins after a random time. Neither
   * the duration of this call nor that of the client's next request then tells whether the address is on the list.
   * @param address the client's IP address, for the letter limit of its network
   */
  askForLink: (email: string, address?: ClientAddress) => void;
  /**
   * Does the work for all requests that still wait for their random time: puts their letters into the outbox. Resolves
   * when the work is done.
   */
  close: () => Promise<void>;
}

export interface LinkLettersOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "log">;
  outbox: OutboxOptions;
  /**
   * Calls a function after some milliseconds, and returns a function that cancels the call; by default, with a timer.
   */
  later?: ((ms: number, run: () => void) => () => void) | undefined;
}

/** A request for a link that waits for its random time. */
interface AskedLink extends Required<Pick<PersonDecision, "email" | "letterDelay">> {
  cancel?: () => void;
}

/** Makes the functions that send links. */
export function createLinkLetters(
  { kv, runtime, outbox, later = laterByTimer }: LinkLettersOptions,
): LinkLetters {
  const { now, monotonic, log } = runtime;
  const asked = new Set<AskedLink>();
  const links = new Batcher<AskedLink, unknown>({
    run(batch, signal) {
      const at = new Date(now()).toISOString();
      // An address that was asked for several times gets one letter.
      const byAddress = new Map(batch.map((link) => [link.email, link]));
      const decisions = Array.from(
        byAddress.values(),
        ({ email, letterDelay }): PersonDecision => ({
          email,
          letterDelay,
          decide(record, { letterLimit }) {
            const step = record && askForLink(record, at, letterLimit);
            return step?.letter ? step : "unchanged";
          },
        }),
      );
      return changeRecords(untilAborted(kv, signal), decisions, { outbox });
    },
    maxBatch: checksFor(kv),
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
  });

  function begin(link: AskedLink): void {
    link.cancel?.();
    asked.delete(link);
    links.add(link)?.catch((error: Error) => {
      log.error("a letter with the link to a self-service page was not sent, because KV failed", {
        error: error.message,
      });
    });
  }

  return {
    askForLink(email, address) {
      if (!outbox.letters) return;
      if (asked.size >= MAX_WAITING) {
        return log.warn(
          "a letter with the link to a self-service page was not sent, because too many are asked for",
        );
      }
      const link: AskedLink = { email, letterDelay: letterDelayOf(outbox, address) };
      asked.add(link);
      const part = new DataView(outbox.random(4).buffer).getUint32(0) / 2 ** 32;
      link.cancel = later(part * MAX_DELAY_MS, () => begin(link));
    },

    async close() {
      for (const link of asked) begin(link);
      await links.flush();
    },
  };
}

function laterByTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
