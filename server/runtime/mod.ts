/**
 * What every room may use: the clocks, randomness and log of the process, deadlines, digests and work that is repeated.
 * It knows nothing of waitlists, HTTP or KV.
 *
 * @module
 */
export { type Clocks, watchJumps } from "./clock_jumps.ts";
export { DeadlineError, inTime, withDeadline } from "./deadline.ts";
export { digestSha256, hmacSha256, jwtSigner, type SignJwt } from "./digest.ts";
export { keepView, type KeptView } from "./kept_view.ts";
export { createLog, type Log, LOG_LEVELS, type LogFields, type LogLevel } from "./log.ts";
export { andThen, type MaybePromise } from "./maybe_promise.ts";
export { createPriority, type Priority, type YieldToCalls } from "./priority.ts";
export { quote } from "./quote.ts";
export { createRandomIds } from "./random_ids.ts";
export { type Repeat, repeat, type Repeating } from "./repeat.ts";
export type { RandomBytes, Runtime } from "./runtime.ts";
