/**
 * Values that need no waiting, and the order of what waits: calls of the public API go before the parts of longer work,
 * such as a page of the console. A sign-up takes several turns of the event loop, and would otherwise wait for one part
 * of the page in each of them.
 *
 * @module
 */
import { setImmediate as endOfTurn } from "node:timers/promises";

/**
 * A value, or the promise of one. A value that needs no waiting is passed on without a promise: on the way
 * of every request, each promise costs time.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value, without waiting where it is there already. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The order of calls and longer work. */
export interface Priority {
  /** Counts an answer as under way until it settles, and returns it. */
  prioritize: <T>(answer: MaybePromise<T>) => MaybePromise<T>;
  yieldToCalls: YieldToCalls;
}

/**
 * Waits for the end of the event loop's turn, and until no prioritized answer is under way. It is awaited between two
 * parts of longer work.
 */
export type YieldToCalls = () => Promise<void>;

/**
 * Makes the order of a process.
 *
 * @param maxWaitMs the longest that one part waits for answers, in milliseconds, so that calls without end cannot stop
 * the work
 */
export function createPriority(maxWaitMs = 5): Priority {
  let underWay = 0;
  const waiting = new Set<() => void>();
  const end = () => {
    if (--underWay > 0) return;
    for (const goOn of waiting) goOn();
  };
  return {
    prioritize(answer) {
      if (!(answer instanceof Promise)) return answer;
      underWay++;
      answer.then(end, end);
      return answer;
    },
    async yieldToCalls() {
      await endOfTurn();
      if (underWay === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer = setTimeout(resolve, maxWaitMs);
      await promise;
      waiting.delete(resolve);
      clearTimeout(timer);
      // Deno takes the answer in this turn, and writes it to its connection in the next one.
      await endOfTurn();
      await endOfTurn();
    },
  };
}
