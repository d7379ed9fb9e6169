/** Waiting on the event loop, where calls of the public API go before the parts of longer work. @module */
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
export { DAY, HOUR, MINUTE } from "../../shared/durations.ts";

/** A value, without a promise where it needs no waiting: on the way of every request, each promise costs time. */
export type MaybePromise<T> = T | Promise<T>;

export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export class DeadlineError extends Error {}

const messageOf = (ms: number) => `It took longer than ${ms} ms`;

/** Does work for at most `ms` milliseconds, then aborts the signal and rejects with a {@linkcode DeadlineError}. */
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
 * As {@linkcode withDeadline}, for work that nearly always ends within the event loop's turn, as reading a body does. A
 * timer for each would cost a token call an eighth of its time, so timers start at the turn's end, for what is late.
 */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = {
      isOver: false,
      start() {
        timer = setTimeout(() => reject(new DeadlineError(messageOf(ms))), ms);
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

export interface Priority {
  /** Counts an answer as under way until it settles, and returns it. */
  prioritize: <T>(answer: MaybePromise<T>) => MaybePromise<T>;
  yieldToCalls: YieldToCalls;
}

/** Waits between two parts of longer work, until the turn ends and no prioritized answer is under way. */
export type YieldToCalls = () => Promise<void>;

/** Makes the order of a process. @param maxWaitMs the longest wait of a part, as calls may come without end */
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
