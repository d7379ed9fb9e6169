/** Sends the letters that are due, and tells apart faults of a letter, of a person and of the mail server. @module */
import {
  type MailStateStore,
  type OutboxEntry,
  type OutboxStore,
  REFUSED_IN_A_ROW,
} from "../../store/outbox/mod.ts";
import { isWanted, type SignUpRecord, type WaitingItem } from "../../waitlist/mod.ts";
import { type MailTransport, type SendOutcome, toReason } from "../letter.ts";
import { createDispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { endOfMinute, nextTry, PAUSE_IN_A_ROW_MS, pauseAfterRefusal } from "./schedule.ts";

/** As many connections as Postfix takes from one client. More would also keep sign-ups waiting for KV. */
export const LETTERS_AT_ONCE = 50;

/** The most letters that are read at once: what one process sends until the next beat. */
const LETTERS_READ = 1_000;

/** The queues of letters, in the order in which they are worked off. */
export const LETTER_QUEUES = ["letters", "held", "invitations"] as const;

export interface LetterSender extends Pick<MailTransport, "room"> {
  send: (item: WaitingItem, record: SignUpRecord) => Promise<SendOutcome>;
  perMinute: number;
}

export function createLetterWork(
  options:
    & Omit<DispatcherOptions<OutboxEntry>, "atOnce" | "send">
    & { store: OutboxStore; mail: MailStateStore; letters: LetterSender },
) {
  const { store, mail, letters: { send, room, perMinute }, now, isStopped, log } = options;
  /** What is known of the state that all processes share, since the last letter that was taken. */
  let hasPause = false;
  let hasRefused = false;
  /** Whether the letter that was given last is to find out whether the pause is over. */
  let isProbing = false;
  let isPauseLogged = false;
  const dispatcher = createDispatcher({ ...options, atOnce: LETTERS_AT_ONCE, send: deliver });

  async function work(): Promise<void> {
    const limit = Math.min(Math.ceil(perMinute / 60), LETTERS_READ, room?.() ?? Infinity);
    if (dispatcher.isBlocked() || limit <= 0) return;
    const until = now();
    // Of one letter more than can have been refused before a pause, one was not.
    const read = Math.max(limit, REFUSED_IN_A_ROW + 2);
    const due: OutboxEntry[] = [];
    for (const queue of LETTER_QUEUES) {
      if (due.length < read) {
        due.push(...await store.readDue(queue, { until, limit: read - due.length }));
      }
    }
    if (due.length === 0) return;
    // KV may have been slow, and a permit holds until the end of the minute in which it is taken.
    const takenAt = now();
    const wanted = Math.min(due.length, limit);
    const { granted, refusedIds, ...known } = await mail.takePermits({
      at: takenAt,
      perMinute,
      wanted,
    });
    ({ hasPause, hasRefused } = known);
    if (granted > 0) isProbing = hasPause;
    // Another letter than those that were refused finds out whether the pause is over.
    const others = due.filter(({ id }) => !refusedIds.includes(id));
    dispatcher.dispatch((others.length > 0 ? others : due).slice(0, granted), endOfMinute(takenAt));
  }

  async function deliver(entry: OutboxEntry): Promise<"paused" | void> {
    const { item } = entry;
    const record = await store.findRecord(item.email);
    if (!record || !isWanted(item, record)) {
      await store.drop(entry);
      return await probeAgain();
    }
    const outcome = await trySending(entry, record);
    if (isStopped()) return;
    const at = now();
    switch (outcome.kind) {
      case "sent": {
        const { kind: _, ...answer } = outcome;
        await store.sent(entry, at, undefined, answer);
        if (hasPause || hasRefused) await mail.resume();
        // An earlier process may have begun the pause.
        if (hasPause || isPauseLogged) log.info("letters are sent again");
        hasPause = hasRefused = isProbing = false;
        isPauseLogged = false;
        return;
      }
      case "refused_recipient":
      case "refused_letter":
        return await refuse(entry, outcome);
      case "try_later":
        await store.postpone(entry, nextTry(item, { at, reason: outcome.reason }));
        return await probeAgain();
      case "paused": {
        const { reason, retryAfterMs } = outcome;
        const delayOf = (count: number) => pauseAfterRefusal(count, retryAfterMs);
        await pauseLetters({ reason, refusedIds: [entry.id], delayOf });
        // It was no attempt of this letter.
        const next = { ...item, tries: item.tries - 1, dueAt: at, placedAt: at, reason };
        await store.postpone(entry, next);
        return outcome.kind;
      }
    }
  }

  /** Lets another letter try, where this one has not found out whether the pause is over. */
  async function probeAgain(): Promise<void> {
    if (isProbing) await mail.probe(now());
  }

  /** Ends a letter. Where none is taken between several such letters, they are taken back, and all wait. */
  async function refuse(
    entry: OutboxEntry,
    { kind, reason }: Extract<SendOutcome, { reason: string }>,
  ): Promise<"paused" | void> {
    const at = now();
    if (kind === "refused_recipient") await store.refuseRecipient(entry, { at, reason });
    else {
      const refusedItem = { queue: "refused", dueAt: at, placedAt: at } as const;
      await store.postpone(entry, { ...entry.item, ...refusedItem, reason });
    }
    hasRefused = true;
    const refused = await mail.noteRefused(entry.id);
    if (refused.length < REFUSED_IN_A_ROW) return await probeAgain();
    const refusedIds = [...new Set([...refused, entry.id])];
    await pauseLetters({
      reason: `${REFUSED_IN_A_ROW} letters in a row were refused, the last one with: ${reason}`,
      refusedIds,
      delayOf: () => PAUSE_IN_A_ROW_MS,
    });
    await store.requeue(refusedIds, (item) => nextTry(item, { at, reason }));
    return "paused";
  }

  async function pauseLetters(pause: Omit<Parameters<MailStateStore["pause"]>[0], "at">) {
    if (!hasPause) {
      log.error("letters are paused, as the mail server accepts none", { error: pause.reason });
      isPauseLogged = true;
    }
    hasPause = true;
    isProbing = false;
    await mail.pause({ at: now(), ...pause });
  }

  async function trySending(entry: OutboxEntry, record: SignUpRecord): Promise<SendOutcome> {
    try {
      return await send(entry, record);
    } catch (error) {
      // A fault of this program: as it may be one of this letter alone, the others go on.
      const reason = toReason(String(error));
      log.error("a letter could not be made", { error: reason });
      return { kind: "try_later", reason };
    }
  }

  return { work, settled: dispatcher.settled };
}
