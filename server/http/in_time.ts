import { setImmediate } from "node:timers";

/** A wait that began in this turn of the event loop. */
interface Wait {
  over: boolean;
  /** Starts its time, after which it is given up. */
  start: () => void;
}

let begunThisTurn: Wait[] = [];

/**
 * Waits for a body for at most `ms` milliseconds; past them, the promise rejects. (For KV there is
 * `withDeadline()`.) Nearly every body is there by the end of the event loop's turn, and a timer for each
 * would cost a token call an eighth of its time, so that the time is counted from there, for what is late.
 */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait: Wait = {
      over: false,
      start() {
        timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms`)), ms);
      },
    };
    // One for all waits of a turn, as setting and clearing one for each takes time of its own.
    if (begunThisTurn.push(wait) === 1) setImmediate(endTurn);
    const end = () => {
      wait.over = true;
      // Even where there is none, clearing takes time.
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
  const waits = begunThisTurn;
  begunThisTurn = [];
  for (const wait of waits) if (!wait.over) wait.start();
}
