/**
 * When a letter or an event is tried again (decisions, "Letters and events: one outbox").
 *
 * @module
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The times between the attempts, in milliseconds. */
const RETRY_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** How long a claimed item belongs to the process that claimed it, in milliseconds; an attempt takes less. */
export const LEASE_MS = 5 * MINUTE;

/**
 * Gives the time until the next attempt, in milliseconds; `undefined` after the last one.
 *
 * @param tries the attempts so far, at least one
 */
export function retryAfter(tries: number): number | undefined {
  return RETRY_MS[tries - 1];
}

/**
 * Gives how long all letters are paused, in milliseconds, where the mail server accepts none.
 *
 * @param count how often they were paused since the last letter that it took
 */
export function pauseAfterRefusal(count: number): number {
  return RETRY_MS[Math.min(count, 3) - 1]!;
}

/** Gives the end of the minute of a moment, both in milliseconds since 1970: the permits of letters end with it. */
export function endOfMinute(moment: number): number {
  return (Math.floor(moment / MINUTE) + 1) * MINUTE;
}
