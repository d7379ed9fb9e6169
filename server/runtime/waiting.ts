/** Deadlines, values that may be promises, and the priority of API calls over long work. @module */
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
export { DAY, HOUR, MINUTE } from "../../shared/durations.ts";

/** A value, or a promise of the value if it has to be awaited. A plain value saves the time that a promise costs. */
export type MaybePromise<T> = T | Promise<T>;

/** Applies a function to a value, or to the value that a promise resolves to. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The error of work that took longer than its deadline allows. */
export class DeadlineError extends Error {}

const messageOf = (ms: number) => `It took longer than ${ms} ms`;

/**
 * Waits for work at most `ms` milliseconds. If the work takes longer, aborts the work's signal, and rejects with a
 * {@linkcode DeadlineError}.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  message = messageOf(ms),
): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DeadlineError(message);
    controller.abort(error);
    late.reject(error);
  }, ms);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for several calls that all end at the same moment at the latest. */
export interface CommonEnd {
  /** Waits for a call. Rejects with the reason of `end()` if the call has not ended by then. */
  waitFor: <T>(call: Promise<T>) => Promise<T>;
  /** Makes all waits that are under way reject, and all later waits as well. */
  end: (reason: unknown) => void;
}

/**
 * Makes the end of several waits. `Promise.race()` with a promise of this end would add a handler to that promise for
 * each call, so that the results of all calls would stay in memory until the end.
 */
export function createCommonEnd(): CommonEnd {
  const rejects = new Set<(reason: unknown) => void>();
  let ended: { reason: unknown } | undefined;
  return {
    waitFor<T>(call: Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      rejects.add(reject);
      call.then(resolve, reject).finally(() => rejects.delete(reject));
      if (ended) reject(ended.reason);
      return promise;
    },
    end(reason) {
      ended = { reason };
      for (const reject of rejects) reject(reason);
    },
  };
}

/** A call of {@linkcode inTime}. */
interface Wait {
  /** Whether the work has ended. */
  isOver: boolean;
  /** Starts the timer of the deadline. */
  startTimer: () => void;
}

/** The calls of {@linkcode inTime} that began in this turn of the event loop. */
let waitsOfThisTurn: Wait[] = [];

/**
 * Waits for work, and rejects with a {@linkcode DeadlineError} if it takes longer than `ms` milliseconds. The timer is
 * started only for work that does not end within one turn of the event loop. Reading a body usually ends within one
 * turn, and a timer for each body would take an eighth of the time of a token request.
 */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait: Wait = {
      isOver: false,
      startTimer() {
        timer = setTimeout(() => reject(new DeadlineError(messageOf(ms))), ms);
      },
    };
    // All calls in one turn of the event loop share one `setImmediate`, to save time.
    if (waitsOfThisTurn.push(wait) === 1) setImmediate(endTurn);
    const end = () => {
      wait.isOver = true;
      // The condition is faster than `clearTimeout(undefined)`.
      if (timer !== undefined) clearTimeout(timer);
    };
    work.then((value) => {
      end();
      resolve(value);
    }, (error) => {
      end();
      reject(error);
    });
  });
}

function endTurn(): void {
  const waits = waitsOfThisTurn;
  waitsOfThisTurn = [];
  for (const wait of waits) if (!wait.isOver) wait.startTimer();
}

export interface Priority {
  /**
   * Makes long work wait for the answer to an API call, up to the longest wait of {@linkcode createPriority}. Returns
   * the answer.
   */
  prioritize: <T>(answer: MaybePromise<T>) => MaybePromise<T>;
  yieldToCalls: YieldToCalls;
}

/**
 * Lets Deno read the requests that have arrived. Deno calls their handlers one or two turns of the event loop later, so
 * a request waits for three parts of long work at most. One turn after each part is enough, because the start task makes
 * Deno read its sockets after each step (`PROCESS_VARIABLES` in `start.ts`). Deno Deploy does not run the start task;
 * there, reads of the store wait for the network, and Deno reads its sockets meanwhile.
 */
export async function letRequestsArrive(): Promise<void> {
  await endOfTurn();
}

/**
 * To be awaited between two parts of long work. Resolves when the turn of the event loop has ended and no API call is
 * under way, or after the longest wait of {@linkcode createPriority}.
 */
export type YieldToCalls = () => Promise<void>;

/**
 * Makes the priority of API calls over long work, for one process.
 * @param maxWaitMs the longest wait between two parts of long work, in milliseconds
 */
export function createPriority(maxWaitMs = 5): Priority {
  /** The number of API calls that are under way. */
  let callCount = 0;
  /** The functions that let waiting work go on. */
  const waiting = new Set<() => void>();
  const endCall = () => {
    if (--callCount > 0) return;
    for (const goOn of waiting) goOn();
  };
  return {
    prioritize(answer) {
      if (!(answer instanceof Promise)) return answer;
      callCount++;
      answer.then(endCall, endCall);
      return answer;
    },
    async yieldToCalls() {
      await letRequestsArrive();
      if (callCount === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer = setTimeout(resolve, maxWaitMs);
      await promise;
      waiting.delete(resolve);
      clearTimeout(timer);
      // Waits for two more turns of the event loop, because Deno gets the answer in this turn, and writes the answer to
      // the socket in the next turn.
      await endOfTurn();
      await endOfTurn();
    },
  };
}
