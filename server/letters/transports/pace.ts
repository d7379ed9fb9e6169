/**
 * The rate of calls to a mail API, which adapts to the rate that the API accepts. `mail_api.ts` makes the calls. @module
 */
import type { Runtime } from "../../runtime/mod.ts";

/** The time between two calls after the first refusal, in milliseconds. */
const FIRST_GAP_MS = 100;

/** The longest time between two calls, in milliseconds. */
const MAX_GAP_MS = 10_000;

/** The shortest time between two calls, in milliseconds. If the time becomes shorter, calls need not wait any more. */
const MIN_GAP_MS = 10;

/** The factor by which a refused call lengthens the time between two calls. */
const REFUSAL_FACTOR = 1.25;

/** The factor by which a successful call shortens the time between two calls. */
const SUCCESS_FACTOR = 0.997;

/** How long letters may wait for their turns, in milliseconds. Letters that would wait longer stay in the outbox. */
const MAX_WAIT_MS = 2_000;

/** The rate of calls to one API. */
export interface Pace {
  /** Gives how many more calls may wait for their turns. */
  capacity: () => number;
  /**
   * Waits until a call may begin, and gives that moment on the monotonic clock. Calls begin in the order of arrival.
   */
  waitForTurn: (signal: AbortSignal) => Promise<number>;
  /** Notes that the API took a letter. */
  noteTaken: () => void;
  /**
   * Notes that the API refused a call with 429.
   *
   * @param begunAt the moment that {@linkcode waitForTurn} gave for the call
   * @param retryAfterMs for how long the API takes no calls, in milliseconds
   */
  noteRefused: (begunAt: number, retryAfterMs: number) => void;
}

/**
 * Makes the rate of calls to an API. A call that the API refuses with 429 lowers the rate, and each letter that the API
 * takes raises the rate a little.
 *
 * @param monotonic the monotonic clock, in milliseconds
 * @param wait waits for some milliseconds; rejects when the signal aborts
 */
export function createPace(
  monotonic: Runtime["monotonic"],
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Pace {
  /** The time between two calls, in milliseconds. It is 0 while calls need not wait. */
  let gapMs = 0;
  /** The moment from which the next call may begin, on the monotonic clock. */
  let nextAt = -Infinity;
  /** The moment at which the rate was last lowered, on the monotonic clock. */
  let slowedAt = -Infinity;
  /** The number of calls that wait for their turns. */
  let waitingCount = 0;
  /** Resolves when the last waiting call has its turn. */
  let lastTurn = Promise.resolve();
  return {
    capacity: () => gapMs === 0 ? Infinity : Math.ceil(MAX_WAIT_MS / gapMs) - waitingCount,
    async waitForTurn(signal) {
      const turnBefore = lastTurn;
      const { promise, resolve } = Promise.withResolvers<void>();
      lastTurn = promise;
      waitingCount++;
      try {
        await turnBefore;
        while (nextAt > monotonic()) await wait(nextAt - monotonic(), signal);
        const begunAt = monotonic();
        nextAt = begunAt + gapMs;
        return begunAt;
      } finally {
        waitingCount--;
        resolve();
      }
    },
    noteTaken() {
      gapMs = gapMs < MIN_GAP_MS ? 0 : gapMs * SUCCESS_FACTOR;
    },
    noteRefused(begunAt, retryAfterMs) {
      const at = monotonic();
      nextAt = Math.max(nextAt, at + retryAfterMs);
      // A call that began before the rate was lowered does not lower the rate again, because its refusal says nothing
      // about the lower rate.
      if (begunAt < slowedAt) return;
      slowedAt = at;
      gapMs = Math.min(Math.max(gapMs * REFUSAL_FACTOR, FIRST_GAP_MS), MAX_GAP_MS);
    },
  };
}
