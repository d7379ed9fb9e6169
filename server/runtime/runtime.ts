import type { Log } from "./log.ts";
import type { Repeat } from "./repeat.ts";

/** Makes `length` random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** What the process gives to every room. Only the composition root takes it from Deno. */
export interface Runtime {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds, for deadlines and for what is remembered. */
  monotonic: () => number;
  random: RandomBytes;
  log: Log;
  /** Repeats work while the service runs. */
  repeat: Repeat;
}
