import { CliError } from "../cli_error.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit_codes.ts";
import type { Progress } from "./progress.ts";

/** How often a call is sent again; with the pauses, about half a minute of a service that is down. */
const MAX_RETRIES = 5;

/**
 * Makes a call that may be repeated, and repeats it after a cut: the connection broke, the service was
 * killed or restarts. Other failures are final.
 */
export async function retrying<T>(
  call: () => Promise<T>,
  { clock, progress }: Pick<Context, "clock"> & { progress: Progress },
): Promise<T> {
  for (let retries = 0;; retries++) {
    try {
      return await call();
    } catch (error) {
      const cut = error instanceof CliError && error.exitCode === EXIT.cannotConnect;
      if (!cut || retries === MAX_RETRIES) throw error;
      const seconds = 2 ** retries;
      progress.note(`waitlist: ${error.message}; sending it again in ${seconds} s.`);
      await clock.wait(seconds * 1000, new AbortController().signal);
    }
  }
}
