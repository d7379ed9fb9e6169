/**
 * What every folder of the server may use: clocks, randomness, the log, deadlines, digests, repeated work, and the HTTP
 * server of Deno or Node. @module
 */
import process from "node:process";
import type { Host } from "./host.ts";
import type { Log } from "./log.ts";
import type { RandomBytes } from "./random.ts";
import type { Repeat } from "./repeating.ts";
export { DAY, HOUR, MINUTE } from "../../shared/durations.ts";
export { watchJumps } from "./clock_jumps.ts";
export { closeAll } from "./closing.ts";
export { createCommonEnd } from "./common_end.ts";
export { DeadlineError, inTime, withDeadline } from "./deadlines.ts";
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
export { createLog, type Log, LOG_LEVELS, type LogFields, type LogLevel } from "./log.ts";
export { andThen, type MaybePromise } from "./maybe_promise.ts";
export { createPriority, letRequestsArrive, type Priority, type YieldToCalls } from "./priority.ts";
export { quote } from "./quote.ts";
export { createRandomIds, type RandomBytes } from "./random.ts";
export {
  refreshEachMinute,
  type RefreshedValue,
  type Repeat,
  repeatByTimer,
  type Repeating,
} from "./repeating.ts";

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
