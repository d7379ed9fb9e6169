/** Sends what is due in the outbox. Every process does so; a lease keeps an item to one of them. @module */
import type { Runtime } from "../../runtime/mod.ts";
import type { MailStateStore, OutboxEntry, OutboxStore } from "../../store/outbox/mod.ts";
import type { Delivery, Queue, WaitingItem } from "../../waitlist/mod.ts";
import { refusalIn } from "../webhooks.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createLetterWork, LETTER_QUEUES, type LetterSender } from "./letter_work.ts";
import { LEASE_MS, nextTry } from "./schedule.ts";
export { watchClockSkew } from "./clock_skew.ts";
export { createRefusalLog } from "./outcomes.ts";
export { LEASE_MS } from "./schedule.ts";

/** In milliseconds: how long the worker rests where nothing is due soon, and how long it does not once it was woken. */
const REST_MS = 30_000, AWAKE_MS = 6_000;

/** The most events that are sent at once, that are read for a beat, and that are kept once they were taken. */
const EVENTS_AT_ONCE = 100, EVENTS_READ = 1_000, DELIVERED_KEPT = 100;

export interface OutboxWorkerOptions extends Pick<Runtime, "now" | "log"> {
  store: OutboxStore;
  mail: MailStateStore;
  letters?: LetterSender | undefined;
  sendEvent?: ((item: WaitingItem) => Promise<Delivery>) | undefined;
}

export function createOutboxWorker(options: OutboxWorkerOptions) {
  const { store, sendEvent, now, log } = options;
  let restUntil = 0;
  /** Until then it does not rest: what woke it is committed a moment later. */
  let awakeUntil = 0;
  let isStopped = false;

  const claim = (entry: OutboxEntry) => store.claim(entry, { at: now(), until: now() + LEASE_MS });
  const common = { claim, now, log, isStopped: () => isStopped };
  const letters = options.letters &&
    createLetterWork({ ...options, ...common, letters: options.letters });
  const events = createDispatcher({ ...common, atOnce: EVENTS_AT_ONCE, send: report });

  async function workEvents(): Promise<void> {
    if (events.isBlocked()) return;
    const due = await store.readDue("events", { until: now(), limit: EVENTS_READ });
    if (due.length === 0) return;
    await store.forgetDelivered({ keep: DELIVERED_KEPT, limit: EVENTS_READ });
    events.dispatch(due);
  }

  async function report(entry: OutboxEntry): Promise<void> {
    const delivery = await sendEvent!(entry);
    if (isStopped) return;
    const reason = refusalIn(delivery);
    if (reason === undefined) await store.sent(entry, now(), delivery);
    else await store.postpone(entry, { ...nextTry(entry.item, { at: now(), reason }), delivery });
  }

  async function rest(): Promise<void> {
    const queues: Queue[] = [
      ...letters ? LETTER_QUEUES : [],
      ...sendEvent ? ["events" as const] : [],
    ];
    restUntil = Math.min(now() + REST_MS, await store.readFirstDue(queues));
  }

  return {
    /** Claims what is due and begins to send it; does nothing while nothing is due. Call it every second. */
    async beat(): Promise<void> {
      // A clock that was set back makes neither longer.
      const isResting = now() < restUntil && restUntil <= now() + REST_MS;
      const isAwake = now() <= awakeUntil && awakeUntil <= now() + AWAKE_MS;
      if (isStopped || isResting && !isAwake) return;
      restUntil = Infinity;
      try {
        await Promise.all([letters?.work(), sendEvent && workEvents()]);
        await rest();
      } catch (error) {
        restUntil = 0;
        log.warn("the outbox waits, as KV did not answer", { error: (error as Error).message });
      }
    },
    /** Ends the rest for some seconds, as something is being put into the outbox. */
    wake: () => void (awakeUntil = now() + AWAKE_MS),
    /** Whether something was due still at the end of the last beat. */
    hasMore: () => restUntil <= now(),
    async settled(): Promise<void> {
      await Promise.all([letters?.settled(), events.settled()]);
    },
    /** Writes nothing more: what is being sent stays claimed, and is tried again after its lease. */
    stop: () => void (isStopped = true),
  };
}
