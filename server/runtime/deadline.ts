/**
 * Deadlines: work that takes too long is given up, whatever becomes of it later.
 *
 * @module
 */
import { setImmediate } from "node:timers";

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
