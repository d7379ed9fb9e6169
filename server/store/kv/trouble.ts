/** Logs a lasting trouble twice: when it begins and when it ends. @module */
import type { Log } from "../../runtime/mod.ts";

/** A trouble that can last, such as a KV that does not answer. */
export interface LastingTrouble {
  /** The error of the trouble; `undefined` while there is no trouble. */
  readonly error: Error | undefined;
  /**
   * Does work that fails while the trouble lasts. The next call must not begin before this call has ended.
   * @returns the error of the work; `undefined` if the work succeeded
   */
  during: (work: () => Promise<void>) => Promise<Error | undefined>;
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
  let error: Error | undefined;
  return {
    get error() {
      return error;
    },
    async during(work) {
      const before = error;
      error = await work().then(() => undefined, (failure: Error) => failure);
      if (error && !before) log.warn(beginMessage, { error: error.message });
      if (before && !error) log.info(endMessage);
      return error;
    },
  };
}
