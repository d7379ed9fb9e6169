/**
 * Sends the due letters and events of the outbox. Every process does this work, and the lease of an item lets only one
 * process send the item. This file decides when the worker reads the outbox and when it sleeps; `letter_work.ts` and
 * `event_work.ts` send the items. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import { LETTER_QUEUES, type MailStateStore, type OutboxStore } from "../../store/outbox/mod.ts";
import type { Delivery, Queue, WaitingItem } from "../../waitlist/mod.ts";
import { createEventWork } from "./event_work.ts";
import { createLetterWork, type LetterWorkSender } from "./letter_work.ts";
export { lastAttemptAt, LEASE_MS } from "./attempt_times.ts";
export { createSkewSearch } from "./clock_skew.ts";
export { createRefusalLog } from "./refusal_log.ts";

/** The longest time that the worker sleeps while nothing is due, in milliseconds. */
const SLEEP_MS = 30_000;

/** How long the worker stays awake after a call of `wake`, in milliseconds. */
const AWAKE_MS = 6_000;

/** What {@linkcode createOutboxWorker} needs. */
export interface OutboxWorkerOptions extends Pick<Runtime, "now" | "log"> {
  store: OutboxStore;
  /** The stored pause, permits and refused letters, which all processes share. */
  mailState: MailStateStore;
  /** The sender of letters. Absent without mail; letters then stay in the outbox. */
  letterSender?: LetterWorkSender | undefined;
  /** Tries once to deliver an event. Absent without a webhook; events then stay in the outbox. */
  sendEvent?: ((event: WaitingItem) => Promise<Delivery>) | undefined;
}

/** The worker that sends the items of the outbox. */
export interface OutboxWorker {
  /** Begins to send the items that are due, unless the worker sleeps. Call this function every second. */
  work: () => Promise<void>;
  /** Keeps the worker awake for some seconds. Call this function when an item is about to be put into the outbox. */
  wake: () => void;
  /** Whether something is due that the last round did not send. Also true after a round that failed. */
  hasMore: () => boolean;
  /** Resolves once nothing is being sent. */
  settled: () => Promise<void>;
  /** Ends the work. The outcome of an item that is being sent is not stored; the item is due again after its lease. */
  stop: () => void;
}

/** Makes the worker of one process. */
export function createOutboxWorker(
  { store, mailState, letterSender, sendEvent, now, log }: OutboxWorkerOptions,
): OutboxWorker {
  /**
   * The moment from which the next round is due, in milliseconds since 1970: 0 (at once) at the start and after a
   * failure, and `Infinity` (not known yet) during a round. The worker sleeps until a moment that is known.
   */
  let nextRoundAt = 0;
  /**
   * The worker does not sleep before this moment, in milliseconds since 1970. The moment is set by `wake`, which is
   * called shortly before the commit that puts an item into the outbox.
   */
  let awakeUntil = 0;
  let hasStopped = false;
  const isStopped = () => hasStopped;
  const letters = letterSender &&
    createLetterWork({ store, sender: letterSender, mailState, now, log, isStopped });
  const events = sendEvent && createEventWork({ store, sendEvent, now, log, isStopped });

  /** Ends a round: the next round is due as soon as an item is due, and after {@linkcode SLEEP_MS} at the latest. */
  async function sleep(): Promise<void> {
    const queues: Queue[] = [
      ...letters ? LETTER_QUEUES : [],
      ...events ? ["events" as const] : [],
    ];
    nextRoundAt = Math.min(now() + SLEEP_MS, await store.readFirstDue(queues));
  }

  return {
    async work() {
      // Moments that are too far ahead are ignored, because the clock has been set back since they were stored.
      // `Infinity` is ignored as well, so a round may begin during another round; the leases of the items allow this.
      const isSleeping = now() < nextRoundAt && nextRoundAt <= now() + SLEEP_MS;
      const isAwake = now() <= awakeUntil && awakeUntil <= now() + AWAKE_MS;
      if (hasStopped || isSleeping && !isAwake) return;
      nextRoundAt = Infinity;
      try {
        await Promise.all([letters?.work(), events?.work()]);
        await sleep();
      } catch (error) {
        nextRoundAt = 0;
        log.warn("could not read the outbox; will read the outbox again soon", {
          error: (error as Error).message,
        });
      }
    },
    wake() {
      awakeUntil = now() + AWAKE_MS;
    },
    hasMore: () => nextRoundAt <= now(),
    async settled() {
      await Promise.all([letters?.settled(), events?.settled()]);
    },
    stop() {
      hasStopped = true;
    },
  };
}
