/** Closes the parts of the service when the process stops. @module */
import type { Log } from "./log.ts";
import type { MaybePromise } from "./maybe_promise.ts";

/** A part of the service that has to be closed before the process ends. */
export interface Closable {
  close: () => MaybePromise<void>;
}

/**
 * Closes the parts one after the other, in the order of `parts`. An error of a part is logged, and the later parts are
 * closed as well, because they may store data that is only in memory.
 *
 * @param parts the parts by their names in the log; a part that is off is `undefined`
 */
export async function closeAll(
  parts: Readonly<Record<string, Closable | undefined>>,
  log: Log,
): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    try {
      await part?.close();
    } catch (error) {
      const { stack, message } = error as Error;
      log.error(
        "a part of the service could not be closed; data that this part had only in memory may be lost",
        {
          part: name,
          error: stack ?? message,
        },
      );
    }
  }
}
