/**
 * Sends the letters that are due, and stores the outcome of each attempt. A refusal concerns one letter, one address,
 * or the mail server as a whole. In the last case, all letters are paused (`letter_pause.ts`). @module
 */
import {
  type ClaimedLetter,
  type OutboxEntry,
  type OutboxStore,
  REFUSED_IN_A_ROW,
} from "../../store/outbox/mod.ts";
import { mustStillBeSent, type SignUpRecord } from "../../waitlist/mod.ts";
import type { SendOutcome } from "../letter.ts";
import type { LetterSender } from "../letter_sender.ts";
import { toReason } from "../reason.ts";
import {
  itemAfterFailure,
  LEASE_MS,
  PAUSE_AFTER_REFUSALS_MS,
  pauseLength,
} from "./attempt_times.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createLetterPause, type LetterPauseOptions } from "./letter_pause.ts";

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

/** What {@linkcode createLetterWork} needs. */
export interface LetterWorkOptions extends LetterPauseOptions {
  store: OutboxStore;
  sender: LetterWorkSender;
  isStopped: () => boolean;
}

/** The work on letters. */
export interface LetterWork {
  /** Takes permits for letters that are due, and begins to send these letters. */
  work: () => Promise<void>;
  /** Resolves once no letter is being sent. */
  settled: () => Promise<void>;
}

/** Makes the work on letters. Its function `work` rejects if KV does not answer. */
export function createLetterWork(
  { store, sender, mailState, now, log, isStopped }: LetterWorkOptions,
): LetterWork {
  const pause = createLetterPause({ mailState, now, log });
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
      Math.ceil(sender.perMinute / 60),
      MAX_LETTERS_A_SECOND,
      sender.capacity?.() ?? Infinity,
    );
    if (dispatcher.isBlocked() || limit <= 0) return;
    const permittedLetters = await store.permitLetters({ limit, perMinute: sender.perMinute, now });
    if (!permittedLetters) return;
    const { letters, validUntil, hasPause, hasRefusals } = permittedLetters;
    pause.noteState({ hasPause, hasRefusals, hasPermits: letters.length > 0 });
    dispatcher.dispatch(letters, validUntil);
  }

  async function deliver({ record, ...entry }: ClaimedLetter): Promise<"paused" | void> {
    const { item } = entry;
    if (!record || !mustStillBeSent(item, record)) {
      await store.drop(entry);
      return await pause.probeAgain();
    }
    const outcome = await trySending(entry, record);
    // After the end of the work, the outcome is not stored. The letter is due again after its lease.
    if (isStopped()) return;
    switch (outcome.kind) {
      case "taken": {
        const { kind: _, ...mailAnswer } = outcome;
        await store.complete(entry, now(), { mailAnswer });
        return await pause.noteTaken();
      }
      case "refused_recipient":
      case "refused_letter":
        return await refuse(entry, outcome);
      case "try_later":
        await store.postpone(entry, itemAfterFailure(item, { at: now(), reason: outcome.reason }));
        return await pause.probeAgain();
      case "paused":
        return await pauseLetters(entry, outcome);
    }
  }

  /** Pauses all letters, because the mail server accepts none. The letter stays due. */
  async function pauseLetters(
    entry: OutboxEntry,
    { reason, retryAfterMs }: Extract<SendOutcome, { kind: "paused" }>,
  ): Promise<"paused"> {
    const at = now();
    await pause.begin({
      reason,
      causedBy: [entry.id],
      delayOf: (count) => pauseLength(count, retryAfterMs),
    });
    // This attempt does not count for the letter, because the refusal does not concern the letter.
    const tries = entry.item.tries - 1;
    await store.postpone(entry, { ...entry.item, tries, dueAt: at, placedAt: at, reason });
    return "paused";
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
    const refusedInARow = await pause.noteRefused(entry.id);
    if (refusedInARow.length < REFUSED_IN_A_ROW) return await pause.probeAgain();
    // This letter is added, because the list has only the first few refused letters and may lack this letter.
    const causedBy = [...new Set([...refusedInARow, entry.id])];
    await pause.begin({
      reason: `${REFUSED_IN_A_ROW} e-mails in a row were rejected, the last one with: ${reason}`,
      causedBy,
      delayOf: () => PAUSE_AFTER_REFUSALS_MS,
    });
    // Each refused letter keeps the answer that the mail server gave to this letter.
    await store.requeue(
      causedBy,
      (item) => itemAfterFailure(item, { at, reason: item.reason ?? reason }),
    );
    return "paused";
  }

  /** Makes one attempt. An error, which is a fault of the program, counts as `try_later`. */
  async function trySending(entry: OutboxEntry, record: SignUpRecord): Promise<SendOutcome> {
    try {
      return await sender.send(entry, record);
    } catch (error) {
      // The fault may concern this letter only, so the other letters go on.
      const reason = toReason(String(error));
      log.error("could not make a letter; will make this letter later", { error: reason });
      return { kind: "try_later", reason };
    }
  }

  return { work, settled: dispatcher.settled };
}
