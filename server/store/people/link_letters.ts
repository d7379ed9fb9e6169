/**
 * Puts the letters with links to self-service pages into the outbox, for people who have asked for their link. The work
 * for an address begins after a random time, so that no duration tells whether the address is on the list. @module
 */
import { Buffer } from "node:buffer";
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { askForLink } from "../../waitlist/mod.ts";
import { abortableKv, Batcher, checksFor, type Kv } from "../kv/mod.ts";
import { createLetterDelay, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./change_records.ts";

/**
 * How many requests wait for the end of their random time at most. The same number of further requests may wait for KV.
 */
const MAX_WAITING = 10_000;

/** The longest time until the work for a request begins, in milliseconds. */
const MAX_DELAY_MS = 2_000;

/** The functions that send people the links to their self-service pages. */
export interface LinkLetters {
  /**
   * Puts the letter with the link to the self-service page into the outbox, within the letter limits, if the address is
   * on the list. Does nothing without mail. The call returns at once, and the work begins after a random time. So
   * neither the duration of this call nor the duration of the client's next request tells whether the address is on the
   * list.
   * @param address the client's IP address, for the letter limit of its network
   */
  askForLink: (email: string, address?: ClientAddress) => void;
  /**
   * Ends the random time of all requests that still wait, and resolves once the work on these requests is done.
   */
  close: () => Promise<void>;
}

/** What the functions that send links need. */
export interface LinkLettersOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "log">;
  outbox: OutboxOptions;
  /** Calls a function after some milliseconds, and returns a function that cancels the call. The default is a timer. */
  callLater?: ((ms: number, run: () => void) => () => void) | undefined;
}

/** A request for a link. It first waits for the end of its random time. */
interface LinkRequest extends Required<Pick<PersonDecision, "email" | "letterDelay">> {
  /** Ends the random time, so that the timer does not begin the work for this request. */
  cancel?: () => void;
}

/** Makes the functions that send links. */
export function createLinkLetters(
  { kv, runtime, outbox, callLater = callByTimer }: LinkLettersOptions,
): LinkLetters {
  const { now, monotonic, log } = runtime;
  const waitingRequests = new Set<LinkRequest>();
  const batcher = new Batcher<LinkRequest, unknown>({
    run: (requests, signal) => putLetters(abortableKv(kv, signal), requests),
    maxBatch: checksFor(kv),
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
  });

  /** Puts the letters of a batch of requests into the outbox, in one commit. */
  function putLetters(kv: Kv, requests: LinkRequest[]): Promise<unknown> {
    const at = new Date(now()).toISOString();
    // Several requests for one address cause only one letter.
    const requestByAddress = new Map(requests.map((request) => [request.email, request]));
    const decisions = Array.from(
      requestByAddress.values(),
      ({ email, letterDelay }): PersonDecision => ({
        email,
        letterDelay,
        decide(record, { letterLimit }) {
          const step = record && askForLink(record, at, letterLimit);
          return step?.letter ? step : "unchanged";
        },
      }),
    );
    return changeRecords(kv, decisions, { outbox });
  }

  /** Begins the work for a request. */
  function begin(request: LinkRequest): void {
    request.cancel?.();
    waitingRequests.delete(request);
    const work = batcher.add(request);
    if (!work) return warnOfDroppedLetter();
    work.catch((error: Error) => {
      log.error("a letter with the link to a self-service page was not sent, because KV failed", {
        error: error.message,
      });
    });
  }

  /** Gives a random number from 0 on and below 1. */
  function randomFraction(): number {
    return Buffer.from(outbox.random(4)).readUInt32BE() / 2 ** 32;
  }

  /** Logs that a request gets no letter, because too many requests wait. */
  function warnOfDroppedLetter(): void {
    log.warn(
      "a letter with the link to a self-service page was not sent, because too many people ask for such letters at once",
    );
  }

  return {
    askForLink(email, address) {
      if (!outbox.sendsLetters) return;
      if (waitingRequests.size >= MAX_WAITING) return warnOfDroppedLetter();
      const request: LinkRequest = { email, letterDelay: createLetterDelay(outbox, address) };
      waitingRequests.add(request);
      request.cancel = callLater(randomFraction() * MAX_DELAY_MS, () => begin(request));
    },

    async close() {
      for (const request of waitingRequests) begin(request);
      await batcher.flush();
    },
  };
}

/** Calls a function by a timer of the runtime; the default of `callLater`. */
function callByTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
