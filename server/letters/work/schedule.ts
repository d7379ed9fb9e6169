/** When a letter or an event is tried again, and until when a permit holds. @module */
import { HOUR, MINUTE } from "../../runtime/mod.ts";
import type { OutboxItem } from "../../waitlist/mod.ts";

/** The times between the attempts, in milliseconds. */
const RETRY_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** How long a claimed item belongs to the process that claimed it, in milliseconds; an attempt takes less. */
export const LEASE_MS = 5 * MINUTE;

/** Gives an item as it is after an attempt that failed: due at its next one, or refused after the last. */
export function nextTry(
  item: OutboxItem,
  { at, reason }: { at: number; reason: string },
): OutboxItem {
  const delay = RETRY_MS[item.tries - 1];
  const tried = { ...item, placedAt: at, reason };
  return delay === undefined
    ? { ...tried, queue: "refused", dueAt: at }
    : { ...tried, dueAt: at + delay };
}

/** How long all letters are paused, in milliseconds, after `count` pauses without a letter that was taken. */
export function pauseAfterRefusal(count: number, asked?: number): number {
  return Math.min(asked ?? RETRY_MS[Math.min(count, 3) - 1]!, HOUR);
}

/** How long letters are paused after several refusals, in milliseconds: these may be right, and others wait. */
export const PAUSE_IN_A_ROW_MS = MINUTE;

/** Gives the end of a moment's minute, both in milliseconds since 1970: until then, a permit of the moment holds. */
export const endOfMinute = (moment: number): number => (Math.floor(moment / MINUTE) + 1) * MINUTE;
