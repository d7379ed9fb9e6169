/** Gives API calls priority over long work in the same process, such as a backup. @module */
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { MaybePromise } from "./maybe_promise.ts";

/**
 * To be awaited between two parts of long work. Resolves when the turn of the event loop has ended and no API call is
 * under way, or after the longest wait of {@linkcode createPriority}.
 */
export type YieldToCalls = () => Promise<void>;

/** The two sides of the priority: API calls, and the long work that waits for their answers. */
export interface Priority {
  /**
   * Makes long work wait for the answer to an API call, up to the longest wait of {@linkcode createPriority}. Returns
   * the answer.
   */
  prioritize: <T>(answer: MaybePromise<T>) => MaybePromise<T>;
  yieldToCalls: YieldToCalls;
}

/** The default of the longest wait between two parts of long work, in milliseconds. */
const MAX_WAIT_MS = 5;

/**
 * Makes the priority of API calls over long work, for one process.
 * @param maxWaitMs the longest wait between two parts of long work, in milliseconds
 */
export function createPriority(maxWaitMs = MAX_WAIT_MS): Priority {
  /** The number of API calls that are under way. */
  let callCount = 0;
  /** The functions that let the waiting work go on, one for each wait. */
  const resumes = new Set<() => void>();
  const endCall = () => {
    if (--callCount > 0) return;
    for (const resume of resumes) resume();
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
      resumes.add(resolve);
      const timer = setTimeout(resolve, maxWaitMs);
      await promise;
      resumes.delete(resolve);
      clearTimeout(timer);
      // Waits for two more turns of the event loop, because Deno gets the answer in this turn, and writes the answer to
      // the socket in the next turn.
      await endOfTurn();
      await endOfTurn();
    },
  };
}

/**
 * Lets Deno read the requests that have arrived. Deno calls their handlers one or two turns of the event loop later, so
 * a request waits for three parts of long work at most. One turn after each part is enough, because the start task
 * makes Deno read its sockets after each step (`PROCESS_VARIABLES` in `start.ts`). Deno Deploy does not run the start
 * task; there, reads of the store wait for the network, and Deno reads its sockets meanwhile.
 */
export async function letRequestsArrive(): Promise<void> {
  await endOfTurn();
}
