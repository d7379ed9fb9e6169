/** Waits for calls, and ends all waits at one moment. @module */

/** Waits for calls. A wait ends with its call, or at the common end of all waits if the call has not ended by then. */
export interface CommonEnd {
  /** Waits for a call. Rejects with the reason of `end()` if the call has not ended by then. */
  waitFor: <T>(call: Promise<T>) => Promise<T>;
  /** Makes all waits that are under way reject with a reason, and all later waits as well. */
  end: (reason: unknown) => void;
}

/**
 * Makes the end of several waits. `Promise.race()` with a promise of this end would add a handler to that promise for
 * each call, so that the results of all calls would stay in memory until the end.
 */
export function createCommonEnd(): CommonEnd {
  const rejects = new Set<(reason: unknown) => void>();
  let hasEnded = false;
  let endReason: unknown;
  return {
    waitFor<T>(call: Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      rejects.add(reject);
      call.then(resolve, reject).finally(() => rejects.delete(reject));
      if (hasEnded) reject(endReason);
      return promise;
    },
    end(reason) {
      hasEnded = true;
      endReason = reason;
      for (const reject of rejects) reject(reason);
    },
  };
}
