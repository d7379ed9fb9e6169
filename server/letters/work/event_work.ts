/** Sends the events that are due, and stores the outcome of each attempt. @module */
import type { Runtime } from "../../runtime/mod.ts";
import type { OutboxEntry, OutboxStore } from "../../store/outbox/mod.ts";
import type { Delivery, WaitingItem } from "../../waitlist/mod.ts";
import { refusalIn } from "../event_sender.ts";
import { itemAfterFailure, LEASE_MS } from "./attempt_times.ts";
import { createDispatcher } from "./dispatcher.ts";

/** How many events are sent at once at most. */
const EVENTS_AT_ONCE = 100;

/** How many events are read in one round at most. */
const MAX_EVENTS_READ = 1_000;

/** How many delivered events are kept at most, so that an operator can see these events and send them again. */
const MAX_DELIVERED_EVENTS = 100;

/** What {@linkcode createEventWork} needs. */
export interface EventWorkOptions extends Pick<Runtime, "now" | "log"> {
  store: OutboxStore;
  /** Tries once to deliver an event. */
  sendEvent: (waiting: WaitingItem) => Promise<Delivery>;
  isStopped: () => boolean;
}

/** The work on events. */
export interface EventWork {
  /** Begins to send the events that are due. */
  work: () => Promise<void>;
  /** Resolves once no event is being sent. */
  settled: () => Promise<void>;
}

/** Makes the work on events. Its function `work` rejects if KV does not answer. */
export function createEventWork(
  { store, sendEvent, now, log, isStopped }: EventWorkOptions,
): EventWork {
  const dispatcher = createDispatcher<OutboxEntry, OutboxEntry>({
    atOnce: EVENTS_AT_ONCE,
    claim: (entry) => store.claim(entry, { at: now(), until: now() + LEASE_MS }),
    send: deliver,
    now,
    log,
    isStopped,
  });

  async function work(): Promise<void> {
    if (dispatcher.isBlocked()) return;
    const dueEvents = await store.readDue("events", { until: now(), limit: MAX_EVENTS_READ });
    if (dueEvents.length === 0) return;
    await store.forgetDelivered({ keep: MAX_DELIVERED_EVENTS, limit: MAX_EVENTS_READ });
    dispatcher.dispatch(dueEvents);
  }

  async function deliver(entry: OutboxEntry): Promise<void> {
    const delivery = await sendEvent(entry);
    // After the end of the work, the outcome is not stored. The event is due again after its lease.
    if (isStopped()) return;
    const reason = refusalIn(delivery);
    if (reason === undefined) await store.complete(entry, now(), { delivery });
    else {
      const failedItem = itemAfterFailure(entry.item, { at: now(), reason });
      await store.postpone(entry, { ...failedItem, delivery });
    }
  }

  return { work, settled: dispatcher.settled };
}
