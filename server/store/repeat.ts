/** Work that is done again and again. */
export interface Repeating {
  /** Ends it; resolves once none of it is under way. */
  stop: () => Promise<void>;
}

/** Does work every so many milliseconds. The work sees to its own errors. */
export type Repeat = (ms: number, work: () => Promise<void>) => Repeating;

/** Repeats by the runtime's timers. Work that takes longer than the interval delays the next one. */
export const repeat: Repeat = (ms, work) => {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work().finally(() => running = undefined);
  }, ms);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};
