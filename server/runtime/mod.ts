/** What every room may use: clocks, randomness, log, deadlines, digests and work that is repeated. @module */
import { Buffer } from "node:buffer";
import type { Log } from "./log.ts";
export { base64url, digestSha256, hmacSha256, utf8 } from "./digest.ts";
export * from "./log.ts";
export * from "./waiting.ts";

/** What the process gives to every room. Only the composition root takes it from Deno. */
export interface Runtime {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds, for deadlines and for what is remembered. */
  monotonic: () => number;
  random: RandomBytes;
  log: Log;
  repeat: Repeat;
}

export type RandomBytes = (length: number) => Uint8Array;

const IDS_PER_DRAW = 1_024;

/**
 * Makes the function that gives ids of `length` random base64url characters, which tell nothing of the next one.
 * Many are cut out of one draw, as most of what a draw costs is the call.
 */
export function createRandomIds(
  { length, random }: { length: number } & Pick<Runtime, "random">,
): () => string {
  let text = "";
  let at = 0;
  return () => {
    if (at === text.length) {
      text = Buffer.from(random(IDS_PER_DRAW * length * 3 / 4)).toString("base64url");
      at = 0;
    }
    const begin = at;
    at += length;
    return text.slice(begin, at);
  };
}

export interface Repeating {
  /** Ends the repetition; resolves once no work is under way. */
  close: () => Promise<void>;
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
    async close() {
      clearInterval(timer);
      await running;
    },
  };
};

export interface KeptView<T> extends Repeating {
  get: () => T;
}

const REFRESH_MS = 60_000;

/** Reads something on a beat; while KV does not answer, the view stays as it is. @param first what it has before */
export async function keepView<T>(
  read: () => Promise<T>,
  { first, repeat }: { first: T } & Pick<Runtime, "repeat">,
): Promise<KeptView<T>> {
  let last = first;
  const refresh = async () => {
    last = await read().catch(() => last);
  };
  await refresh();
  return { get: () => last, ...repeat(REFRESH_MS, refresh) };
}

/**
 * Watches for jumps of the wall clock against the monotonic one; several small ones add up.
 * @returns gives the milliseconds since the last jump that it told of, 0 for `minMs` or less; negative where it was
 * set back
 */
export function watchJumps(
  { now, monotonic }: Pick<Runtime, "now" | "monotonic">,
  minMs: number,
): () => number {
  let offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= minMs) return 0;
    offset += jump;
    return jump;
  };
}
