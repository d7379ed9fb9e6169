/**
 * The rate at which a mail API takes calls: a call that it refuses as one too many lowers it, one that it takes
 * raises it a little. Nothing is held back before the first refusal. @module
 */
import type { Runtime } from "../../runtime/mod.ts";

/** The time between two calls after the first refusal, and the longest one, in milliseconds. */
const FIRST_GAP_MS = 100, MAX_GAP_MS = 10_000;

/** A shorter time between two calls, in milliseconds, is none. */
const NO_GAP_MS = 10;

/** By how much a refused call lengthens the time between two calls, and a call that was taken shortens it. */
const SLOWER = 1.25, FASTER = 0.997;

/** How long letters may wait for their turns, in milliseconds: later ones stay in the outbox, in their order. */
const HOLD_MS = 2_000;

/** @param wait waits some milliseconds, or until a signal aborts */
export function createPace(
  monotonic: Runtime["monotonic"],
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>,
) {
  /** The time between two calls, in milliseconds; 0 if no call has to wait for another. */
  let gap = 0;
  let nextAt = -Infinity;
  let slowedAt = -Infinity;
  let waiting = 0;
  /** Resolves when the last of those that wait has its turn. */
  let last = Promise.resolve();
  return {
    /** Gives how many more calls may wait for their turns. */
    room: () => gap === 0 ? Infinity : Math.ceil(HOLD_MS / gap) - waiting,
    /** Waits until a call may begin; gives that moment. Calls begin in the order in which they came. */
    async turn(signal: AbortSignal): Promise<number> {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      waiting++;
      try {
        await before;
        while (nextAt > monotonic()) await wait(nextAt - monotonic(), signal);
        const begunAt = monotonic();
        nextAt = begunAt + gap;
        return begunAt;
      } finally {
        waiting--;
        resolve();
      }
    },
    taken(): void {
      gap = gap < NO_GAP_MS ? 0 : gap * FASTER;
    },
    /** Notes that the API refused a call as one too many, and for how long it takes none, in milliseconds. */
    refused(begunAt: number, retryAfterMs: number): void {
      const at = monotonic();
      nextAt = Math.max(nextAt, at + retryAfterMs);
      // Calls that were under way at that time tell nothing of the rate since then.
      if (begunAt < slowedAt) return;
      slowedAt = at;
      gap = Math.min(Math.max(gap * SLOWER, FIRST_GAP_MS), MAX_GAP_MS);
    },
  };
}
