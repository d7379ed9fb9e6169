/** The times of letters and events: their next attempts, leases, pauses and permits. @module */
import { HOUR, MINUTE } from "../../runtime/mod.ts";
import type { OutboxItem } from "../../waitlist/mod.ts";

/** The times between the attempts of an item, in milliseconds. */
const RETRY_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** How long a claimed item belongs to the process that claimed it, in milliseconds. It is longer than an attempt. */
export const LEASE_MS = 5 * MINUTE;

/**
 * Gives an item as it is after an attempt that failed: due at its next attempt, or refused after the last attempt.
 *
 * @param at the moment of the failure, in milliseconds since 1970
 * @param reason the reason of the failure, without addresses
 */
export function itemAfterFailure(
  item: OutboxItem,
  { at, reason }: { at: number; reason: string },
): OutboxItem {
  const delay = RETRY_MS[item.tries - 1];
  const tried = { ...item, placedAt: at, reason };
  return delay === undefined
    ? { ...tried, queue: "refused", dueAt: at }
    : { ...tried, dueAt: at + delay };
}

/**
 * Gives how long all letters are paused, in milliseconds.
 *
 * @param count the number of pauses since the mail server last took a letter, including the new pause
 * @param retryAfterMs the pause that the server asks for, in milliseconds; absent if it asks for none
 */
export function pauseAfterRefusal(count: number, retryAfterMs?: number): number {
  return Math.min(retryAfterMs ?? RETRY_MS[Math.min(count, 3) - 1]!, HOUR);
}

/**
 * How long letters are paused after several refusals in a row, in milliseconds. The pause is short, because each of the
 * refusals may be justified.
 */
export const PAUSE_IN_A_ROW_MS = MINUTE;

/**
 * Gives the end of the minute in which a moment lies. The unused permits of this minute lapse then. The moment and the
 * result are in milliseconds since 1970.
 */
export const endOfMinute = (moment: number): number => (Math.floor(moment / MINUTE) + 1) * MINUTE;
