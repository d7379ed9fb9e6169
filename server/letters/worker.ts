/**
 * Works the outbox off: claims what is due, sends it and writes what became of it. Every process does so, and
 * none gets in another's way (decisions, "Letters and events: one outbox").
 *
 * @module
 */
import type { Log } from "../log.ts";
import {
  isWanted,
  type OutboxItem,
  type Queue,
  type WaitingItem,
} from "../waitlist/outbox_item.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { reasonWithout, type SendOutcome } from "./letter.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { MailPermits, OutboxWork } from "./outbox.ts";
import { endOfMinute, LEASE_MS, pauseAfterRefusal, retryAfter } from "./schedule.ts";

/** How long the worker rests where nothing is due soon, in milliseconds. */
const REST_MS = 30_000;

/** How long the worker does not rest after it was woken, in milliseconds. */
const AWAKE_MS = 6_000;

/** The most events that are sent at the same time. */
const EVENTS_AT_ONCE = 100;

/**
 * The most letters that are sent at the same time: as many connections as Postfix takes from one client. More
 * would also keep sign-ups waiting for KV.
 */
export const LETTERS_AT_ONCE = 50;

/** The most letters, and the most events, that are read at once: what one process sends until the next beat. */
const LETTERS_READ = 1_000, EVENTS_READ = 1_000;

/** The queues of letters, in the order in which they are worked off. */
const LETTER_QUEUES = ["letters", "invitations"] as const satisfies Queue[];

/** What the worker is made with. */
export interface OutboxWorkerOptions<Entry extends WaitingItem> {
  store: OutboxWork<Entry>;
  mail: MailPermits;
  /** Sends a letter to a person; absent without mail. */
  sendLetter?: ((item: WaitingItem, record: SignUpRecord) => Promise<SendOutcome>) | undefined;
  /** Sends an event; absent without a webhook. Gives why it failed, if it did. */
  sendEvent?: ((item: WaitingItem) => Promise<string | undefined>) | undefined;
  perMinute: number;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  log: Log;
}

/** Works the outbox off. */
export interface OutboxWorker {
  /** Claims what is due and begins to send it; does nothing while nothing is due. Call it every second. */
  beat: () => Promise<void>;
  /** Ends the rest for some seconds, as something is being put into the outbox. */
  wake: () => void;
  /** Whether something was due still at the end of the last beat. */
  hasMore: () => boolean;
  /** Resolves once nothing is being sent. */
  settled: () => Promise<void>;
  /** Writes nothing more: what is being sent stays claimed, and is tried again after its lease. */
  stop: () => void;
}

/** Makes a worker. */
export function createOutboxWorker<Entry extends WaitingItem>(
  options: OutboxWorkerOptions<Entry>,
): OutboxWorker {
  const { store, mail, sendLetter, sendEvent, perMinute, now, log } = options;
  let restUntil = 0;
  /** Until then it does not rest: what woke it is committed a moment later. */
  let awakeUntil = 0;
  let isStopped = false;
  let hasPause = false;
  let isPauseLogged = false;

  const claim = (entry: Entry) => store.claim(entry, { at: now(), until: now() + LEASE_MS });
  const postpone = (entry: Entry, change: Partial<OutboxItem>) =>
    store.postpone(entry, { ...entry.item, placedAt: now(), ...change });
  const common = { claim, now, log, isStopped: () => isStopped };
  const letters = createDispatcher({ ...common, atOnce: LETTERS_AT_ONCE, send: deliver });
  const events = createDispatcher({ ...common, atOnce: EVENTS_AT_ONCE, send: report });

  async function workLetters(): Promise<void> {
    if (letters.isHanging()) return;
    const until = now();
    const limit = Math.min(Math.ceil(perMinute / 60), LETTERS_READ);
    const due: Entry[] = [];
    for (const queue of LETTER_QUEUES) {
      if (due.length < limit) {
        due.push(...await store.readDue(queue, { until, limit: limit - due.length }));
      }
    }
    if (due.length === 0) return;
    // KV may have been slow, and a permit is for the minute in which it is taken.
    const takenAt = now();
    const permits = await mail.takePermits({ at: takenAt, perMinute, wanted: due.length });
    hasPause = permits.hasPause;
    // After a pause, one letter finds out whether the mail server accepts letters again.
    const granted = hasPause ? Math.min(permits.granted, 1) : permits.granted;
    letters.give(due.slice(0, granted), endOfMinute(takenAt));
  }

  async function workEvents(): Promise<void> {
    if (events.isHanging()) return;
    const due = await store.readDue("events", { until: now(), limit: EVENTS_READ });
    if (due.length > 0) events.give(due);
  }

  async function deliver(entry: Entry): Promise<"paused" | void> {
    const { item } = entry;
    const record = await store.findRecord(item.email);
    if (!record || !isWanted(item, record)) return void await store.drop(entry);
    const outcome = await trySending(entry, record);
    if (isStopped) return;
    const at = now();
    switch (outcome.kind) {
      case "sent":
        await store.sent(entry, at);
        if (hasPause) await mail.resume();
        hasPause = false;
        if (isPauseLogged) log.info("letters are sent again");
        isPauseLogged = false;
        return;
      case "refused_recipient":
        return void await store.refuseRecipient(entry, { at, reason: outcome.reason });
      case "refused_letter":
        return void await postpone(entry, { queue: "refused", dueAt: at, reason: outcome.reason });
      case "try_later":
        return await tryLater(entry, outcome.reason);
      case "paused": {
        const { reason } = outcome;
        if (!hasPause) {
          log.error("letters are paused, as the mail server accepts none", { error: reason });
          isPauseLogged = true;
        }
        hasPause = true;
        await mail.pause({ at, reason, delayOf: pauseAfterRefusal });
        // It was no attempt of this letter.
        await postpone(entry, { tries: item.tries - 1, dueAt: at, reason });
        return outcome.kind;
      }
    }
  }

  async function trySending(entry: Entry, record: SignUpRecord): Promise<SendOutcome> {
    try {
      return await sendLetter!(entry, record);
    } catch (error) {
      // A fault of this program: as it may be one of this letter alone, the others go on.
      const reason = reasonWithout(entry.item.email, String(error));
      log.error("a letter could not be made", { error: reason });
      return { kind: "try_later", reason };
    }
  }

  async function report(entry: Entry): Promise<void> {
    const reason = await sendEvent!(entry);
    if (isStopped) return;
    if (reason === undefined) await store.sent(entry, now());
    else await tryLater(entry, reason);
  }

  /** Puts an item where its next attempt is due, or among the refused ones after the last attempt. */
  async function tryLater(entry: Entry, reason: string): Promise<void> {
    const delay = retryAfter(entry.item.tries);
    const place: Partial<OutboxItem> = delay === undefined
      ? { queue: "refused", dueAt: now() }
      : { dueAt: now() + delay };
    await postpone(entry, { ...place, reason });
  }

  /** Rests until the next item is due, or the longest rest is over. */
  async function rest(): Promise<void> {
    const queues: Queue[] = [
      ...sendLetter ? LETTER_QUEUES : [],
      ...sendEvent ? ["events" as const] : [],
    ];
    const firsts = await Promise.all(queues.map((queue) => store.readFirstDue(queue)));
    restUntil = Math.min(now() + REST_MS, ...firsts.map((first) => first ?? Infinity));
  }

  return {
    async beat() {
      // A clock that was set back does not make the rest longer.
      const isResting = now() < restUntil && restUntil <= now() + REST_MS;
      if (isStopped || isResting && now() > awakeUntil) return;
      restUntil = Infinity;
      try {
        await Promise.all([sendLetter && workLetters(), sendEvent && workEvents()]);
        await rest();
      } catch (error) {
        restUntil = 0;
        log.warn("the outbox waits, as KV did not answer", { error: (error as Error).message });
      }
    },
    wake: () => void (awakeUntil = now() + AWAKE_MS),
    hasMore: () => restUntil <= now(),
    async settled() {
      await Promise.all([letters.settled(), events.settled()]);
    },
    stop: () => void (isStopped = true),
  };
}
