import { clearImmediate, setImmediate } from "node:timers";

/**
 * Waits for a body for at most `ms` milliseconds; past them, the promise rejects. (For KV there is
 * `withDeadline()`.) Nearly every body is there by the end of the event loop's turn, and a timer for each
 * would cost a token call an eighth of its time, so that timers are only set for what is late then.
 */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settled = unlessByEndOfTurn(() => {
    timer = setTimeout(() => late.reject(new Error(`It took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    settled();
    clearTimeout(timer);
  }
}

/** What is to be done at the end of this turn of the event loop. */
const acts = new Set<() => void>();
let endOfTurn: ReturnType<typeof setImmediate> | undefined;

/** Does something at the end of the turn, unless what it returns was called before. */
function unlessByEndOfTurn(act: () => void): () => void {
  if (acts.size === 0) endOfTurn = setImmediate(actAll);
  acts.add(act);
  return () => {
    if (acts.delete(act) && acts.size === 0) clearImmediate(endOfTurn);
  };
}

function actAll(): void {
  for (const act of acts) act();
  acts.clear();
}
