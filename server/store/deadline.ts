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
