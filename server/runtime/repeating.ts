/** Repeats work by timers, and refreshes a value in memory each minute. @module */

/** Work that is being repeated. */
export interface Repeating {
  /** Ends the repetition, and resolves when work that is running has ended. */
  close: () => Promise<void>;
}

/** Repeats work every `ms` milliseconds. The promise of the work must not reject. */
export type Repeat = (ms: number, work: () => Promise<void>) => Repeating;

/** Repeats work by the timers of Deno or Node. Work that is still running is not started again. */
export const repeatByTimer: Repeat = (ms, work) => {
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

/** The time between two reads of a refreshed value, in milliseconds. */
const REFRESH_MS = 60_000;

/**
 * Reads a value at once, and again each minute. If a read fails, the value of the last successful read stays. A failure
 * is not logged here, because the store logs that KV does not answer.
 *
 * @param options.initial the value before the first successful read
 */
export async function refreshEachMinute<T>(
  read: () => Promise<T>,
  { initial, repeat }: { initial: T; repeat: Repeat },
): Promise<RefreshedValue<T>> {
  let value = initial;
  const refresh = async () => {
    value = await read().catch(() => value);
  };
  await refresh();
  return { get: () => value, ...repeat(REFRESH_MS, refresh) };
}
