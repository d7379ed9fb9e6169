/**
 * The helpers that every folder of the server may use: clocks, randomness, the log, deadlines, digests, repeated work.
 * @module
 */
import process from "node:process";
import type { Host } from "./host.ts";
import type { Log } from "./log.ts";
import type { RandomBytes } from "./random.ts";
import type { Repeat } from "./repeating.ts";
export { watchJumps } from "./clock_jumps.ts";
export { closeAll } from "./closing.ts";
export {
  digestSha256,
  encodeBase64url,
  encodeUtf8,
  hashText,
  hmacSha256,
  isSameSecret,
  mixBits,
} from "./digest.ts";
export type { ConnectionInfo, ServeOptions, Server } from "./host.ts";
export { createLog, type Log, LOG_LEVELS, type LogFields, type LogLevel, quote } from "./log.ts";
export { createRandomIds, type RandomBytes } from "./random.ts";
export {
  refreshEachMinute,
  type RefreshedValue,
  type Repeat,
  repeatByTimer,
  type Repeating,
} from "./repeating.ts";
export {
  andThen,
  createCommonEnd,
  createPriority,
  DAY,
  DeadlineError,
  HOUR,
  inTime,
  letRequestsArrive,
  type MaybePromise,
  MINUTE,
  type Priority,
  withDeadline,
  type YieldToCalls,
} from "./waiting.ts";

/** Whether the program runs on Deno. If not, it runs on Node. */
export const isDeno = "deno" in process.versions;

const host: Host = isDeno ? (await import("./deno.ts")).DENO : (await import("./node.ts")).NODE;

export const { everyMinute, serve } = host;

/**
 * The clocks, the randomness, the log and the timers that all parts of the service use. Only `main.ts` and tests make
 * them.
 */
export interface Runtime {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that is never set, in milliseconds, for deadlines and durations. */
  monotonic: () => number;
  /** Gives random bytes that nobody can predict. */
  random: RandomBytes;
  log: Log;
  /** Repeats work by timers. Tests give a function that runs the work when they want it. */
  repeat: Repeat;
}
