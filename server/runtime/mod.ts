/**
 * The helpers that every folder of the server may use: clocks, randomness, the log, deadlines, digests, repeated work.
 * @module
 */
import process from "node:process";
import type { Host } from "./host.ts";
import type { Log } from "./log.ts";
import type { RandomBytes } from "./random.ts";
import type { Repeat } from "./repeating.ts";
export * from "./closing.ts";
export * from "./digest.ts";
export type { ConnectionInfo, ServeOptions, Server } from "./host.ts";
export * from "./log.ts";
export * from "./random.ts";
export * from "./repeating.ts";
export * from "./waiting.ts";

/** Whether the program runs on Deno. Otherwise it runs on Node. */
export const onDeno = "deno" in process.versions;

const host: Host = onDeno ? (await import("./deno.ts")).DENO : (await import("./node.ts")).NODE;

export const { everyMinute, serve } = host;

/** The clocks, the randomness and the log that all parts of the service use. Only `main.ts` and tests make them. */
export interface Runtime {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that is never set, in milliseconds, for deadlines and durations. */
  monotonic: () => number;
  random: RandomBytes;
  log: Log;
  repeat: Repeat;
}
