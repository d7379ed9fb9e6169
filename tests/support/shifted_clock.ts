/**
 * Sets the wall clock of a process ahead, and shortens its long intervals, so that a trial need not wait for them.
 * `victim.ts` runs this module in the process of the service, before the service's program. @module
 */
import process from "node:process";

/** Intervals of at least this length, in milliseconds, are shortened. Waves and schedules are polled by such intervals. */
const LONG_MS = 5_000;

/** The length of a shortened interval, in milliseconds. */
const SHORT_MS = 200;

const ahead = Number(process.env.CLOCK_AHEAD_MS);
const { now } = Date;
Date.now = () => now() + ahead;

const { setInterval } = globalThis;
globalThis.setInterval = ((work: () => void, ms: number) =>
  // The cast holds, because the service calls the function with these two parameters only.
  setInterval(work, ms >= LONG_MS ? SHORT_MS : ms)) as typeof setInterval;
