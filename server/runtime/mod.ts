/** What every room may use: clocks, randomness, log, deadlines, digests and work that is repeated. @module */
import { Buffer } from "node:buffer";
import process from "node:process";
import type { Host } from "./host.ts";
export * from "./digest.ts";
export type { ConnectionInfo, ServeOptions, Server } from "./host.ts";
export * from "./waiting.ts";

export const onDeno = "deno" in process.versions;

const host: Host = onDeno ? (await import("./deno.ts")).DENO : (await import("./node.ts")).NODE;

export const { everyMinute, serve } = host;

/** What the process gives to every room. Only the composition root takes it from the runtime. */
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

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = typeof LOG_LEVELS[number];

export type LogFields = Record<string, string | number | boolean | Record<string, number>>;

/** Writes one JSON object a line. No line has an e-mail address, a client address, a token or a secret. */
export type Log =
  & { readonly [level in LogLevel]: (event: string, fields?: LogFields) => void }
  & { /** The lowest level that is written. */ readonly level: LogLevel };

/** Makes a log of lines `{"time","level","event",…fields}`, which `write` takes without line feeds. */
export function createLog(
  { level: lowest, now, write }: Pick<Runtime, "now"> & {
    level: LogLevel;
    write: (line: string) => void;
  },
): Log {
  const writer = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return () => {};
    return (event: string, fields?: LogFields) => {
      const time = new Date(now()).toISOString();
      write(JSON.stringify({ time, level, event, ...fields }));
    };
  };
  return {
    level: lowest,
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  };
}

/** Shows a request's value in a message: well-formed Unicode, and cut to a length that stays readable. */
export function quote(value: unknown): string {
  if (typeof value !== "string") {
    return JSON.stringify(value)?.slice(0, 40).toWellFormed() ?? "absent";
  }
  return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`.toWellFormed();
}

const IDS_PER_DRAW = 1_024;

/** Makes the function that gives ids of `length` random base64url characters, many from one draw, as it costs most. */
export function createRandomIds({ length, random }: { length: number } & Pick<Runtime, "random">) {
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
 * Watches for jumps of the wall clock against the monotonic one; several small ones add up. @returns gives the
 * milliseconds since the last jump that it told of, 0 for `minMs` or less; negative where it was set back
 */
export function watchJumps({ now, monotonic }: Pick<Runtime, "now" | "monotonic">, minMs: number) {
  let offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= minMs) return 0;
    offset += jump;
    return jump;
  };
}
