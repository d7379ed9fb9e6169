/** A clock: the time in milliseconds since 1970, and a wait that a signal can end early. */
export interface Clock {
  now: () => number;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The computer's own clock, which the API client uses unless it gets another one. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
    }),
};
