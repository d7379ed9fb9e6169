/** Work that is repeated. */
export interface Repeating {
  /** Ends the repetition; resolves once no work is under way. */
  stop: () => Promise<void>;
}

/** Repeats work every `ms` milliseconds. The work must not reject. */
export type Repeat = (ms: number, work: () => Promise<void>) => Repeating;

/** Repeats by the runtime's timers. Where work takes longer than the interval, the next start is skipped. */
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
