/** Repeats work by timers, refreshes a value in memory each minute, and watches the clock for jumps. @module */

export interface Repeating {
  /** Ends the repetition, and resolves when work that is running has ended. */
  close: () => Promise<void>;
}

/** Repeats work every `ms` milliseconds. The promise of the work must not reject. */
export type Repeat = (ms: number, work: () => Promise<void>) => Repeating;

/** Repeats work by the runtime's timers. While the work is still running, the timer does not start it again. */
export const repeat: Repeat = (ms, work) => {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work().finally(() => running = undefined);
  }, ms);
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
};

/** A value in memory that is read again each minute. */
export interface RefreshedValue<T> extends Repeating {
  get: () => T;
}

const REFRESH_MS = 60_000;

/**
 * Reads a value at once, and again each minute. If a read fails, the value of the read before stays.
 *
 * @param options.first the value before the first successful read
 */
export async function refreshEachMinute<T>(
  read: () => Promise<T>,
  { first, repeat }: { first: T; repeat: Repeat },
): Promise<RefreshedValue<T>> {
  let last = first;
  const refresh = async () => {
    last = await read().catch(() => last);
  };
  await refresh();
  return { get: () => last, ...repeat(REFRESH_MS, refresh) };
}

/**
 * Makes the function that finds jumps of the wall clock, by comparing it with the monotonic clock. Several small jumps
 * add up to one jump.
 *
 * @param minMs the largest jump that is ignored, in milliseconds
 * @returns a function that gives the jump since the last reported jump, in milliseconds: 0 if there was none, and
 * negative if the clock was set back
 */
export function watchJumps(
  { now, monotonic }: { now: () => number; monotonic: () => number },
  minMs: number,
): () => number {
  let offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= minMs) return 0;
    offset += jump;
    return jump;
  };
}
