/** How long work on KV may take, in milliseconds, before whoever waits for it is told that it failed. */
export const DEADLINE_MS = 5_000;

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
    const error = new Error("KV did not answer in time");
    abort.abort(error);
    late.reject(error);
  }, ms);
  try {
    return await Promise.race([work(abort.signal), late.promise]);
  } finally {
    clearTimeout(timer);
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
