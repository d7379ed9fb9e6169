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
  sendEvent: (event: WaitingItem) => Promise<Delivery>;
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
  const dispatcher = createDispatcher<OutboxEntry>({
    atOnce: EVENTS_AT_ONCE,
    claim: (event) => store.claim(event, { at: now(), until: now() + LEASE_MS }),
    send: deliver,
    now,
    log,
    isStopped,
  });

  async function work(): Promise<void> {
    if (dispatcher.isBlocked()) return;
    const dueEvents = await store.readDue("events", { dueBy: now(), limit: MAX_EVENTS_READ });
    if (dueEvents.length === 0) return;
    // The list of delivered events grows only when events are sent, so it is shortened only before events are sent.
    await store.forgetDelivered({ keep: MAX_DELIVERED_EVENTS, limit: MAX_EVENTS_READ });
    dispatcher.dispatch(dueEvents);
  }

  async function deliver(event: OutboxEntry): Promise<void> {
    const delivery = await sendEvent(event);
    // After the end of the work, the outcome is not stored. The event is due again after its lease.
    if (isStopped()) return;
    const reason = refusalIn(delivery);
    if (reason === undefined) await store.complete(event, now(), { delivery });
    else {
      const failedItem = itemAfterFailure(event.item, { at: now(), reason });
      await store.postpone(event, { ...failedItem, delivery });
    }
  }

  return { work, settled: dispatcher.settled };
}
