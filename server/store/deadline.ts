import { setTimeout as delay } from "node:timers/promises";

/** How long work on KV may take, in milliseconds, before whoever waits for it is told that it failed. */
export const DEADLINE_MS = 5_000;

/** KV did not answer in time. */
class DeadlineError extends Error {
  constructor() {
    super("KV did not answer in time");
  }
}

/**
 * Does work for at most `ms` milliseconds. Past it, the signal aborts and the promise rejects, whatever
 * becomes of the work: what hangs cannot hold up what comes after it.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DeadlineError();
    abort.abort(error);
    late.reject(error);
  }, ms);
  try {
    return await Promise.race([work(abort.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** How many tries of a change may fail before the change fails. */
const MAX_FAILURES = 5;

/** How many of them may fail by their deadline, as each keeps the operator waiting for seconds. */
const MAX_LATE = 2;

/** Half of the pause after the first failure, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 10;

/**
 * Tries a change again until its outcome is known. A commit that gives no answer may have gone through
 * all the same, so each try reads first, and finds what a try before it has written.
 *
 * @param attempt reads and commits; `undefined` where another change came first, so that it is called again
 */
export async function untilKnown<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let failures = 0, late = 0;;) {
    try {
      const outcome = await withDeadline(DEADLINE_MS, attempt);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      if (error instanceof DeadlineError) late++;
      if (++failures === MAX_FAILURES || late === MAX_LATE) throw error;
      await delay(PAUSE_MS * 2 ** failures);
    }
  }
}

/**
 * Gathers the entries of a list of any length, `size` at a time, and holds each batch to
 * {@linkcode DEADLINE_MS}. A deadline for each entry would cost more than the entry.
 */
export async function* inBatches<T>(
  entries: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  const steps = entries[Symbol.asyncIterator]();
  async function gather(): Promise<T[]> {
    const batch: T[] = [];
    while (batch.length < size) {
      const step = await steps.next();
      if (step.done) break;
      batch.push(step.value);
    }
    return batch;
  }
  for (;;) {
    const batch = await withDeadline(DEADLINE_MS, gather);
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
  }
}
