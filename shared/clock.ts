/** A clock. Functions get it as a parameter, so that a test can give them a clock of its own. */
export interface Clock {
  /** The present time, in milliseconds since 1970. */
  now: () => number;
  /** Resolves after some milliseconds, or earlier when the signal aborts. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The clock of this computer. It is the default of the API client. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      // The wait ends here if the signal has aborted before, because such a signal sends no event any more.
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
    }),
};
