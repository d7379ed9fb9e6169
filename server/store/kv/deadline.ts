/** One deadline for all that a call of a client asks of the store. @module */
import { DeadlineError, type MaybePromise } from "../../runtime/mod.ts";
import { KV_IS_LATE } from "./calls.ts";
import { type Kv, UnknownOutcome } from "./engine.ts";

/**
 * Does the work of a call with a KV that fails once `kv.deadlineMs` have passed: what is under way is given up, and
 * nothing else begins, however often the work tries again. Where the work has given its answer, as that of a stream, the
 * KV goes on without this deadline.
 * @throws {DeadlineError} where the work needs KV after the deadline
 * @throws {UnknownOutcome} where a commit was under way then
 */
export async function withinDeadline<T>(
  kv: Kv,
  work: (kv: Kv) => MaybePromise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  // The error counts only where a call of KV waits for it.
  late.promise.catch(() => {});
  let isLate = false, hasEnded = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.reject(new DeadlineError(KV_IS_LATE));
  }, kv.deadlineMs);

  async function inTime<R>(call: () => Promise<R>): Promise<R> {
    if (hasEnded) return await call();
    return await (isLate ? late.promise : Promise.race([call(), late.promise]));
  }

  try {
    return await work({
      ...kv,
      get: (keys) => inTime(() => kv.get(keys)),
      list: (selector, options) => inTime(() => kv.list(selector, options)),
      async commit(commit) {
        let hasBegun = false;
        const begin = () => {
          hasBegun = true;
          return kv.commit(commit);
        };
        try {
          return await inTime(begin);
        } catch (error) {
          if (isLate && hasBegun && error instanceof DeadlineError) throw new UnknownOutcome(error);
          throw error;
        }
      },
    });
  } finally {
    clearTimeout(timer);
    hasEnded = !isLate;
  }
}
