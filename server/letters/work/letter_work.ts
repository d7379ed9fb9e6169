/**
 * Sends the letters that are due, and stores what became of each letter. A refusal concerns one letter, one address, or
 * the mail server as a whole. In the last case, all letters are paused. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import {
  type ClaimedLetter,
  type MailStateStore,
  type OutboxEntry,
  type OutboxStore,
  REFUSED_IN_A_ROW,
} from "../../store/outbox/mod.ts";
import { mustStillBeSent, type SignUpRecord } from "../../waitlist/mod.ts";
import type { SendOutcome } from "../letter.ts";
import type { LetterSender } from "../letter_sender.ts";
import { toReason } from "../reason.ts";
import { createDispatcher } from "./dispatcher.ts";
import {
  endOfMinute,
  itemAfterFailure,
  LEASE_MS,
  PAUSE_IN_A_ROW_MS,
  pauseAfterRefusal,
} from "./schedule.ts";

/**
 * How many letters are sent at once at most. By default, Postfix accepts the same number of connections from one
 * client.
 */
export const LETTERS_AT_ONCE = 50;

/** How many letters one process begins to send in a second at most. */
const MAX_LETTERS_A_SECOND = 1_000;

/** The part of the sender of letters that this work needs. */
export type LetterWorkSender = Pick<LetterSender, "send" | "perMinute"> & {
  capacity?: LetterSender["capacity"];
};

export interface LetterWorkOptions extends Pick<Runtime, "now" | "log"> {
  store: OutboxStore;
  /** The stored pause, permits and refused letters, which all processes share. */
  mail: MailStateStore;
  letters: LetterWorkSender;
  isStopped: () => boolean;
}

export interface LetterWork {
  /** Takes permits for letters that are due, and begins to send these letters. */
  work: () => Promise<void>;
  /** Resolves once no letter is being sent. */
  settled: () => Promise<void>;
}

/** Makes the work on letters. Its function `work` rejects if KV does not answer. */
export function createLetterWork(
  { store, mail, letters: { send, capacity, perMinute }, now, log, isStopped }: LetterWorkOptions,
): LetterWork {
  /** Whether the shared state has a pause that began after the last taken letter. */
  let hasPause = false;
  /** Whether the shared state lists letters that were refused for good after the last taken letter. */
  let hasRefused = false;
  /** Whether a letter is being sent only to find out whether the pause is over. */
  let isProbing = false;
  /** Whether this process has logged the beginning of the pause. */
  let isPauseLogged = false;
  const dispatcher = createDispatcher<OutboxEntry, ClaimedLetter>({
    atOnce: LETTERS_AT_ONCE,
    claim: (entry) => store.claimLetter(entry, { at: now(), until: now() + LEASE_MS }),
    send: deliver,
    now,
    log,
    isStopped,
  });

  async function work(): Promise<void> {
    // This function is called every second, so it takes the permits of one second.
    const limit = Math.min(
      Math.ceil(perMinute / 60),
      MAX_LETTERS_A_SECOND,
      capacity?.() ?? Infinity,
    );
    if (dispatcher.isBlocked() || limit <= 0) return;
    const permitted = await store.permitLetters({ limit, perMinute, now });
    if (!permitted) return;
    ({ hasPause, hasRefused } = permitted);
    const { letters, at } = permitted;
    // During a pause, there is a permit only for the letter that finds out whether the pause is over.
    if (letters.length > 0) isProbing = hasPause;
    dispatcher.dispatch(letters, endOfMinute(at));
  }

  async function deliver({ record, ...entry }: ClaimedLetter): Promise<"paused" | void> {
    const { item } = entry;
    if (!record || !mustStillBeSent(item, record)) {
      await store.drop(entry);
      return await probeAgain();
    }
    const outcome = await trySending(entry, record);
    // After the end of the work, the outcome is not stored. The letter is due again after its lease.
    if (isStopped()) return;
    const at = now();
    switch (outcome.kind) {
      case "sent": {
        const { kind: _, ...mailServer } = outcome;
        await store.complete(entry, at, { mailServer });
        return await noteTaken();
      }
      case "refused_recipient":
      case "refused_letter":
        return await refuse(entry, outcome);
      case "try_later":
        await store.postpone(entry, itemAfterFailure(item, { at, reason: outcome.reason }));
        return await probeAgain();
      case "paused": {
        const { reason, retryAfterMs } = outcome;
        const delayOf = (count: number) => pauseAfterRefusal(count, retryAfterMs);
        await pauseLetters({ reason, causedBy: [entry.id], delayOf });
        // This attempt does not count for the letter, because the refusal does not concern the letter.
        const next = { ...item, tries: item.tries - 1, dueAt: at, placedAt: at, reason };
        await store.postpone(entry, next);
        return "paused";
      }
    }
  }

  /** Notes that the mail server has taken a letter: ends a pause, and forgets earlier refusals. */
  async function noteTaken(): Promise<void> {
    if (hasPause || hasRefused) await mail.resume();
    // `hasPause` alone means that another process began the pause and logged its beginning.
    if (hasPause || isPauseLogged) log.info("letters can be sent again");
    hasPause = false;
    hasRefused = false;
    isProbing = false;
    isPauseLogged = false;
  }

  /**
   * Lets another letter find out whether the pause is over. Called if the letter that was to find this out was dropped,
   * refused or postponed.
   */
  async function probeAgain(): Promise<void> {
    if (isProbing) await mail.endWait(now());
  }

  /**
   * Stores that a letter was refused for good. If several letters in a row were refused, the mail server may be the
   * cause, so all of them wait again, and all letters are paused.
   */
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
    const refusedInARow = await mail.noteRefused(entry.id);
    if (refusedInARow.length < REFUSED_IN_A_ROW) return await probeAgain();
    // This letter is added, because the list has only the first few refused letters and may lack this letter.
    const causedBy = [...new Set([...refusedInARow, entry.id])];
    await pauseLetters({
      reason: `${REFUSED_IN_A_ROW} letters in a row were refused, the last one with: ${reason}`,
      causedBy,
      delayOf: () => PAUSE_IN_A_ROW_MS,
    });
    await store.requeue(causedBy, (item) => itemAfterFailure(item, { at, reason }));
    return "paused";
  }

  /** Pauses all letters. Logs this unless letters are already paused. */
  async function pauseLetters(pause: Omit<Parameters<MailStateStore["pause"]>[0], "at">) {
    if (!hasPause) {
      log.error("letters are paused because the mail server accepts none", { error: pause.reason });
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
      // This is a fault of the program. It may concern this letter only, so the other letters go on.
      const reason = toReason(String(error));
      log.error("could not make a letter; will try again", { error: reason });
      return { kind: "try_later", reason };
    }
  }

  return { work, settled: dispatcher.settled };
}
