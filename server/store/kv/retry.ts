/**
 * How long the store waits for KV, and how it finds out whether a commit without an answer went through.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { DeadlineError, withDeadline } from "../../runtime/mod.ts";

/** How long work on KV may take unless told otherwise, in milliseconds. */
const DEADLINE_MS = 5_000;

/** A KV that says how long the store waits for it, and what is known of the store. */
export interface BoundedKv extends Deno.Kv {
  /** Whether the store is known to have the entry of the schema: without it, it is another store. */
  readonly hasSchema?: boolean;
  /** How long work may take, in milliseconds, before its caller is told that it failed; 5,000 if absent. */
  readonly deadlineMs?: number;
}

/** How long work on a KV may take, in milliseconds. */
export function deadlineOf({ deadlineMs = DEADLINE_MS }: BoundedKv): number {
  return deadlineMs;
}

/** What the caller of work on KV that took too long is told. */
export const KV_IS_LATE = "KV did not answer in time";

/** Does work on KV, and gives it up at KV's deadline; see {@linkcode withDeadline}. */
export function withKvDeadline<T>(
  kv: BoundedKv,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(deadlineOf(kv), work, KV_IS_LATE);
}

/** How many tries of a change may fail before the change fails. */
export const MAX_FAILURES = 5;

/** How many tries may fail by their deadline, as each of them keeps the operator waiting for seconds. */
export const MAX_LATE = 2;

/** Pauses before the next try: 20 ms after the first failure, and twice as long after each further one. */
export async function pauseAfter(failures: number): Promise<void> {
  await delay(10 * 2 ** failures);
}

/**
 * Does work on KV again where it fails: reads, or writes that may be made twice.
 *
 * @throws the error of the last try
 */
export async function retry<T>(kv: BoundedKv, work: () => Promise<T>): Promise<T> {
  for (let failures = 0, late = 0;;) {
    try {
      return await withKvDeadline(kv, work);
    } catch (error) {
      if (error instanceof DeadlineError) late++;
      if (++failures === MAX_FAILURES || late === MAX_LATE) throw error;
      await pauseAfter(failures);
    }
  }
}
