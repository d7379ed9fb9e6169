/**
 * Waiting on the event loop: values that need no waiting, deadlines after which work is given up, and the order of what
 * waits. Calls of the public API go before the parts of longer work, such as a page of the console: a sign-up takes
 * several turns of the event loop, and would otherwise wait for one part of the page in each of them.
 *
 * @module
 */
import { setImmediate } from "node:timers";
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

/** Work did not end before its deadline. */
export class DeadlineError extends Error {}

const messageOf = (ms: number) => `It took longer than ${ms} ms`;

/**
 * Does work for at most `ms` milliseconds. Past them, the signal aborts and the promise rejects with a
 * {@linkcode DeadlineError}.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  message = messageOf(ms),
): Promise<T> {
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DeadlineError(message);
    abort.abort(error);
    late.reject(error);
  }, ms);
  try {
    return await Promise.race([work(abort.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits that began in this turn of the event loop; `start` starts the timer that ends a wait. */
let waitsOfThisTurn: { isOver: boolean; start: () => void }[] = [];

/**
 * Waits for at most `ms` milliseconds, like {@linkcode withDeadline}, for work that nearly always ends
 * within the event loop's turn, such as the reading of a body. A timer for each body would cost a token
 * call an eighth of its time, so timers start at the end of the turn, and only for what is late.
 */
export function inTime<T>(ms: number, work: Promise<T>, message = messageOf(ms)): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = {
      isOver: false,
      start() {
        timer = setTimeout(() => reject(new DeadlineError(message)), ms);
      },
    };
    // All waits of a turn share one `setImmediate`, as setting and clearing one for each takes time.
    if (waitsOfThisTurn.push(wait) === 1) setImmediate(endTurn);
    const end = () => {
      wait.isOver = true;
      // `clearTimeout(undefined)` takes time, too.
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
  for (const wait of waits) if (!wait.isOver) wait.start();
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
