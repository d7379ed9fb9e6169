/**
 * Repeats calls that were cut: the service could not be reached, the connection broke, or the answer did not arrive
 * whole. Repeating helps, because the service may only have been restarted.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { CliError, EXIT } from "../errors.ts";

/**
 * How often a call is repeated at most. With the pauses between the calls, the service may be away for half a minute.
 */
const MAX_RETRIES = 5;

/** Makes the error of a call that was cut. The message has the next step, without a full stop. */
export function cutError(message: string): CliError {
  return new CliError(message, EXIT.cannotConnect);
}

/** Whether an error says that a call was cut. */
export function isCut(error: unknown): error is CliError {
  return error instanceof CliError && error.exitCode === EXIT.cannotConnect;
}

/**
 * Makes a call. If the connection is cut, makes the call again after a pause; each further pause is longer. Other errors
 * are thrown at once.
 *
 * @param call must be safe to repeat
 * @param options.progress tells the user about each repetition
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  { context: { clock }, progress }: {
    context: Pick<Context, "clock">;
    progress: { note: (line: string) => void };
  },
): Promise<T> {
  for (let retries = 0;; retries++) {
    try {
      return await call();
    } catch (error) {
      if (!isCut(error) || retries === MAX_RETRIES) throw error;
      const seconds = 2 ** retries;
      progress.note(
        `waitlist: ${error.fault}; the program calls the service again in ${seconds} s.`,
      );
      await clock.wait(seconds * 1000, new AbortController().signal);
    }
  }
}
