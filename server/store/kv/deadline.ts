/** Deadlines of work that calls KV many times: all of its calls end together. @module */
import { DeadlineError, type MaybePromise } from "../../runtime/mod.ts";
import { KV_IS_LATE, WorkOver } from "./calls.ts";
import { type Kv, UnknownOutcome } from "./engine.ts";

/**
 * Gives a KV that ends with a signal: a call that is under way is given up, and every further one fails with
 * {@linkcode WorkOver}, so that the work does not try again.
 *
 * A commit that is given up throws `UnknownOutcome`, because it may go through all the same.
 */
export function untilAborted(kv: Kv, signal: AbortSignal): Kv {
  const aborted = Promise.withResolvers<never>();
  // The error counts only where a call of KV waits for it.
  aborted.promise.catch(() => {});
  signal.addEventListener("abort", () => aborted.reject(new WorkOver(signal.reason)));

  async function unlessAborted<R>(call: () => Promise<R>): Promise<R> {
    if (signal.aborted) throw new WorkOver(signal.reason);
    return await Promise.race([call(), aborted.promise]);
  }

  return {
    ...kv,
    get: (keys) => unlessAborted(() => kv.get(keys)),
    list: (selector, options) => unlessAborted(() => kv.list(selector, options)),
    async commit(commit) {
      if (signal.aborted) throw new WorkOver(signal.reason);
      try {
        return await unlessAborted(() => kv.commit(commit));
      } catch (error) {
        if (error instanceof WorkOver) throw new UnknownOutcome(error);
        throw error;
      }
    },
  };
}

/**
 * Does the work of a call with a KV that ends once `kv.deadlineMs` have passed. Where the work has given its answer
 * before, as that of a stream, the KV goes on without this deadline.
 * @throws {DeadlineError} where the work needs KV after the deadline
 * @throws {UnknownOutcome} where a commit was under way then
 */
export async function withinDeadline<T>(
  kv: Kv,
  work: (kv: Kv) => MaybePromise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlineError(KV_IS_LATE)), kv.deadlineMs);
  try {
    return await work(untilAborted(kv, abort.signal));
  } finally {
    clearTimeout(timer);
  }
}
