/**
 * Waits for work no longer than a deadline allows. `withDeadline()` also aborts the work. `inTime()` cannot abort the
 * work, but costs less if the work ends at once. @module
 */
import { setImmediate } from "node:timers";

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

/** The wait of one call of {@linkcode inTime}. */
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
    if (waitsOfThisTurn.push(wait) === 1) setImmediate(startTimers);
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

/** Starts the timers for the work that has not ended within this turn of the event loop. */
function startTimers(): void {
  const waits = waitsOfThisTurn;
  waitsOfThisTurn = [];
  for (const wait of waits) if (!wait.isOver) wait.startTimer();
}
