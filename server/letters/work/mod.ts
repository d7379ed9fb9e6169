/**
 * Sends the letters and events in the outbox that are due. Every process does this work, and the lease of an item lets
 * only one process send the item. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import {
  LETTER_QUEUES,
  type MailStateStore,
  type OutboxEntry,
  type OutboxStore,
} from "../../store/outbox/mod.ts";
import type { Delivery, Queue, WaitingItem } from "../../waitlist/mod.ts";
import { refusalIn } from "../webhooks.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createLetterWork, type LetterWorkSender } from "./letter_work.ts";
import { itemAfterFailure, LEASE_MS } from "./schedule.ts";
export { createSkewSearch } from "./clock_skew.ts";
export { createRefusalLog } from "./refusal_log.ts";
export { LEASE_MS } from "./schedule.ts";

/** The longest time that the worker sleeps while nothing is due, in milliseconds. */
const SLEEP_MS = 30_000;

/** How long the worker stays awake after a call of `wake`, in milliseconds. */
const AWAKE_MS = 6_000;

/** How many events are sent at once at most. */
const EVENTS_AT_ONCE = 100;

/** How many events are read in one round at most. */
const EVENTS_READ = 1_000;

/** How many delivered events are kept, so that an operator can see these events and send them again. */
const DELIVERED_KEPT = 100;

export interface OutboxWorkerOptions extends Pick<Runtime, "now" | "log"> {
  store: OutboxStore;
  mail: MailStateStore;
  /** The sender of letters. Absent without mail; letters then stay in the outbox. */
  letters?: LetterWorkSender | undefined;
  /** Tries once to deliver an event. Absent without a webhook; events then stay in the outbox. */
  sendEvent?: ((waiting: WaitingItem) => Promise<Delivery>) | undefined;
}

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
  { store, mail, letters: sender, sendEvent, now, log }: OutboxWorkerOptions,
): OutboxWorker {
  /** The moment until which the worker sleeps, in milliseconds since 1970; `Infinity` while the worker works. */
  let sleepUntil = 0;
  /**
   * The worker does not sleep before this moment, in milliseconds since 1970. The moment is set by `wake`, which is
   * called shortly before the commit that puts an item into the outbox.
   */
  let awakeUntil = 0;
  let stopped = false;

  const isStopped = () => stopped;
  const letters = sender && createLetterWork({
    store,
    mail,
    letters: sender,
    now,
    log,
    isStopped,
  });
  const events = createDispatcher<OutboxEntry, OutboxEntry>({
    atOnce: EVENTS_AT_ONCE,
    claim: (entry) => store.claim(entry, { at: now(), until: now() + LEASE_MS }),
    send: deliver,
    now,
    log,
    isStopped,
  });

  async function workEvents(): Promise<void> {
    if (events.isBlocked()) return;
    const due = await store.readDue("events", { until: now(), limit: EVENTS_READ });
    if (due.length === 0) return;
    await store.forgetDelivered({ keep: DELIVERED_KEPT, limit: EVENTS_READ });
    events.dispatch(due);
  }

  async function deliver(entry: OutboxEntry): Promise<void> {
    const delivery = await sendEvent!(entry);
    if (stopped) return;
    const reason = refusalIn(delivery);
    if (reason === undefined) await store.complete(entry, now(), { receiver: delivery });
    else {
      const failed = itemAfterFailure(entry.item, { at: now(), reason });
      await store.postpone(entry, { ...failed, delivery });
    }
  }

  async function sleep(): Promise<void> {
    const queues: Queue[] = [
      ...letters ? LETTER_QUEUES : [],
      ...sendEvent ? ["events" as const] : [],
    ];
    sleepUntil = Math.min(now() + SLEEP_MS, await store.readFirstDue(queues));
  }

  return {
    async work() {
      // Moments that are too far ahead are ignored, because the clock has been set back since they were stored.
      const isSleeping = now() < sleepUntil && sleepUntil <= now() + SLEEP_MS;
      const isAwake = now() <= awakeUntil && awakeUntil <= now() + AWAKE_MS;
      if (stopped || isSleeping && !isAwake) return;
      sleepUntil = Infinity;
      try {
        await Promise.all([letters?.work(), sendEvent && workEvents()]);
        await sleep();
      } catch (error) {
        sleepUntil = 0;
        log.warn("could not read the outbox; will try again", {
          error: (error as Error).message,
        });
      }
    },
    wake() {
      awakeUntil = now() + AWAKE_MS;
    },
    hasMore: () => sleepUntil <= now(),
    async settled() {
      await Promise.all([letters?.settled(), events.settled()]);
    },
    stop() {
      stopped = true;
    },
  };
}
