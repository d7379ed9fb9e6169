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

export class Pace {
  readonly #monotonic: Runtime["monotonic"];
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** The time between two calls, in milliseconds; 0 if no call has to wait for another. */
  #gap = 0;
  #nextAt = -Infinity;
  #slowedAt = -Infinity;
  #waiting = 0;
  /** Resolves when the last of those that wait has its turn. */
  #last = Promise.resolve();

  constructor(
    monotonic: Runtime["monotonic"],
    wait: (ms: number, signal: AbortSignal) => Promise<unknown>,
  ) {
    this.#monotonic = monotonic;
    this.#wait = wait;
  }

  /** Gives how many more calls may wait for their turns. */
  room(): number {
    return this.#gap === 0 ? Infinity : Math.ceil(HOLD_MS / this.#gap) - this.#waiting;
  }

  /** Waits until a call may begin; gives that moment. Calls begin in the order in which they came. */
  async turn(signal: AbortSignal): Promise<number> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    this.#waiting++;
    try {
      await before;
      while (this.#nextAt > this.#monotonic()) {
        await this.#wait(this.#nextAt - this.#monotonic(), signal);
      }
      const begunAt = this.#monotonic();
      this.#nextAt = begunAt + this.#gap;
      return begunAt;
    } finally {
      this.#waiting--;
      resolve();
    }
  }

  taken(): void {
    this.#gap = this.#gap < NO_GAP_MS ? 0 : this.#gap * FASTER;
  }

  /** Notes that the API refused a call as one too many, and for how long it takes none, in milliseconds. */
  refused(begunAt: number, retryAfterMs: number): void {
    const at = this.#monotonic();
    this.#nextAt = Math.max(this.#nextAt, at + retryAfterMs);
    // Calls that were under way at that time tell nothing of the rate since then.
    if (begunAt < this.#slowedAt) return;
    this.#slowedAt = at;
    this.#gap = Math.min(Math.max(this.#gap * SLOWER, FIRST_GAP_MS), MAX_GAP_MS);
  }
}
