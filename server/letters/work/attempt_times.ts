/**
 * The times of attempts to send letters and events: how long a process may try an item, when the next attempt is due,
 * and how long all letters pause. @module
 */
import { HOUR, MINUTE } from "../../runtime/mod.ts";
import type { OutboxItem } from "../../waitlist/mod.ts";

/** How long a claimed item belongs to the process that claimed it, in milliseconds. It is longer than an attempt. */
export const LEASE_MS = 5 * MINUTE;

/** The times between the attempts of an item, in milliseconds. */
const RETRY_DELAYS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/**
 * The lengths of the first pauses of all letters in a row, in milliseconds. Each further pause is as long as the last
 * of them, so that letters go out soon after the mail server works again.
 */
const PAUSE_LENGTHS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE] as const;

/** The longest pause that a mail server can ask for, in milliseconds. */
const MAX_PAUSE_MS = HOUR;

/**
 * How long all letters pause after several letters in a row were refused, in milliseconds. The pause is short, because
 * each of the refusals may be justified.
 */
export const PAUSE_AFTER_REFUSALS_MS = MINUTE;

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
  const delay = RETRY_DELAYS_MS[item.tries - 1];
  const triedItem = { ...item, placedAt: at, reason };
  return delay === undefined
    ? { ...triedItem, queue: "refused", dueAt: at }
    : { ...triedItem, dueAt: at + delay };
}

/**
 * Gives when the last attempt of an item is due if all attempts before it fail, in milliseconds since 1970. After this
 * attempt, the item is refused.
 */
export function lastAttemptAt({ tries, dueAt }: Pick<OutboxItem, "tries" | "dueAt">): number {
  return RETRY_DELAYS_MS.slice(tries).reduce((moment, delay) => moment + delay, dueAt);
}

/**
 * Gives how long all letters pause because the mail server accepts none, in milliseconds.
 *
 * @param count the number of pauses since the mail server last took a letter, including the new pause
 * @param retryAfterMs the pause that the server asks for, in milliseconds; absent if it asks for none
 */
export function pauseLength(count: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_PAUSE_MS);
  return PAUSE_LENGTHS_MS[count - 1] ?? PAUSE_LENGTHS_MS.at(-1)!;
}
