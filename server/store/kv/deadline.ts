/**
 * Makes a KV for one piece of work, such as a request of an operator. The reads and commits of this KV end when a
 * signal aborts, or at the deadline of the work; from then on they throw `WorkOver` (`calls.ts`). @module
 */
import { createCommonEnd, DeadlineError, type MaybePromise } from "../../runtime/mod.ts";
import { KV_IS_LATE, WorkOver } from "./calls.ts";
import { type Kv, UnknownOutcome } from "./engine.ts";

/** The two KVs for a request of an operator. Each read and each commit for the request uses one of them. */
export interface OperatorKvs {
  /** The KV of {@linkcode withinDeadline}, whose calls all end at the deadline of the work. */
  kv: Kv;
  /**
   * The KV for work that takes longer if there are more people. Each call of this KV has a deadline; the work as a
   * whole has none.
   */
  longKv: Kv;
}

/**
 * Gives a KV whose reads and commits end when a signal aborts: a call that is under way is given up, and every further
 * call fails with {@linkcode WorkOver}, so that the work does not try again. The other members of the KV, such as
 * `watch` and `sweep`, stay the same.
 *
 * A commit that is given up throws `UnknownOutcome`, because it may go through all the same.
 */
export function abortableKv(kv: Kv, signal: AbortSignal): Kv {
  // `waitFor()` waits for one call. `end()` ends the waits for all calls that are under way.
  const { waitFor, end } = createCommonEnd();
  signal.addEventListener("abort", () => end(new WorkOver(signal.reason)));

  function throwIfAborted(): void {
    if (signal.aborted) throw new WorkOver(signal.reason);
  }

  return {
    ...kv,
    async get(keys) {
      throwIfAborted();
      return await waitFor(kv.get(keys));
    },
    async list(selector, options) {
      throwIfAborted();
      return await waitFor(kv.list(selector, options));
    },
    async commit(commit) {
      // This error is not an `UnknownOutcome`, because a commit that has not begun has a known outcome.
      throwIfAborted();
      try {
        return await waitFor(kv.commit(commit));
      } catch (error) {
        if (error instanceof WorkOver) throw new UnknownOutcome(error);
        throw error;
      }
    },
  };
}

/**
 * Does work with a KV whose calls end once `kv.deadlineMs` have passed. The deadline applies only until the work has
 * resolved. A stream that the work has resolved with can therefore go on reading.
 * @throws {DeadlineError} if the work needs KV after the deadline
 * @throws {UnknownOutcome} if a commit was under way at the deadline
 */
export async function withinDeadline<T>(
  kv: Kv,
  work: (kv: Kv) => MaybePromise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DeadlineError(KV_IS_LATE)), kv.deadlineMs);
  try {
    return await work(abortableKv(kv, deadline.signal));
  } finally {
    clearTimeout(timer);
  }
}
