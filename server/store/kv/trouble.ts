/** Logs a lasting trouble twice: when it begins and when it ends. @module */
import type { Log } from "../../runtime/mod.ts";

/** A trouble that can last, such as a KV that does not answer. */
export interface LastingTrouble {
  /** The error of the trouble; `undefined` while there is no trouble. */
  readonly error: Error | undefined;
  /** Notes whether there is a trouble now. @param error the error of the trouble; `undefined` if there is none */
  report: (error: Error | undefined) => void;
}

/**
 * Follows a trouble that can last, and logs when it begins and when it ends.
 * @param beginMessage the message of the log line at the beginning
 * @param endMessage the message of the log line at the end
 */
export function followTrouble(
  log: Log,
  beginMessage: string,
  endMessage: string,
): LastingTrouble {
  let currentError: Error | undefined;
  return {
    get error() {
      return currentError;
    },
    report(error) {
      if (error && !currentError) log.warn(beginMessage, { error: error.message });
      if (currentError && !error) log.info(endMessage);
      currentError = error;
    },
  };
}

/** Gives the error with which a promise rejects; `undefined` if the promise resolves. */
export const errorOf = (promise: Promise<unknown>): Promise<Error | undefined> =>
  promise.then(() => undefined, (error: Error) => error);
