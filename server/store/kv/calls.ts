/** How the store calls KV: in time, again where a call fails, and for any number of keys. @module */
import { setTimeout as delay } from "node:timers/promises";
import { DeadlineError, withDeadline } from "../../runtime/mod.ts";
import type { Counter } from "../../waitlist/mod.ts";
import { behind, counterKey } from "./keys.ts";

const DEADLINE_MS = 5_000;

export interface BoundedKv extends Deno.Kv {
  readonly hasSchema?: boolean;
  /** The milliseconds after which a caller is told that work has failed; 5,000 if absent. */
  readonly deadlineMs?: number;
}

export const deadlineOf = ({ deadlineMs = DEADLINE_MS }: BoundedKv) => deadlineMs;

export const KV_IS_LATE = "KV did not answer in time";

export function withKvDeadline<T>(
  kv: BoundedKv,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(deadlineOf(kv), work, KV_IS_LATE);
}

/** How many tries of a change may fail before the change fails. */
const MAX_FAILURES = 5;

/** How many tries may fail by their deadline, as each of them keeps the operator waiting for seconds. */
const MAX_LATE = 2;

/** Does work on KV again where it fails: reads, or writes that may be made twice. @throws the error of the last try */
export async function retry<T>(kv: BoundedKv, work: () => Promise<T>): Promise<T> {
  return await tryAgain(() => withKvDeadline(kv, work));
}

/** Does the same for work with deadlines of its own, unless an error is final. @throws the error of the last try */
export async function tryAgain<T>(
  work: () => Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let failures = 0, late = 0;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DeadlineError) late++;
      if (++failures === MAX_FAILURES || late === MAX_LATE || isFinal(error)) throw error;
      // 20 ms after the first failure, and twice as long after each further one.
      await delay(10 * 2 ** failures);
    }
  }
}

const READ_AT_ONCE = 10;

async function readInTens<Entry>(
  keys: Deno.KvKey[],
  read: (some: Deno.KvKey[]) => Promise<Entry[]>,
): Promise<Entry[]> {
  const reads = [];
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    reads.push(read(keys.slice(from, from + READ_AT_ONCE)));
  }
  return (await Promise.all(reads)).flat();
}

/** Reads entries, in as few calls as KV allows; each call is one snapshot. */
export function readAll<T>(kv: Deno.Kv, keys: Deno.KvKey[]): Promise<Deno.KvEntryMaybe<T>[]> {
  return readInTens(keys, (some) => kv.getMany<T[]>(some));
}

/** Does the same, and gives `undefined` for an entry that cannot be read, so that it does not fail the others. */
export function readMany<T>(
  kv: Deno.Kv,
  keys: Deno.KvKey[],
): Promise<(Deno.KvEntryMaybe<T> | undefined)[]> {
  const readOne = async (key: Deno.KvKey) => {
    try {
      return await kv.get<T>(key);
    } catch (error) {
      if (!await isUnreadable(kv, key)) throw error;
    }
  };
  return readInTens(keys, (some) => {
    return kv.getMany<T[]>(some).catch(() => Promise.all(some.map(readOne)));
  });
}

export const VALUE_FAULT = "KV cannot read its value.";

/** Whether KV cannot read the value of a key, while it can read a key beside it that has no entry. */
export async function isUnreadable(kv: Deno.Kv, key: Deno.KvKey): Promise<boolean> {
  const isRejected = (each: Deno.KvKey) => rejects(kv, () => kv.get(each));
  return await isRejected(key) && !await isRejected(behind(behind(key)));
}

export async function rejects(kv: Deno.Kv, read: () => Promise<unknown>): Promise<boolean> {
  return await withKvDeadline(kv, read).then(() => false, () => true);
}

export function addToCounter(commit: Deno.AtomicOperation, counter: Counter, by: number): void {
  addToNumber(commit, counterKey(counter), by);
}

/** Adds a positive or negative number to the number under a key; KV adds modulo 2^64 and takes no sign. */
export function addToNumber(commit: Deno.AtomicOperation, key: Deno.KvKey, by: number): void {
  commit.sum(key, BigInt.asUintN(64, BigInt(by)));
}

/** Gives a counter's number, which is below zero where a fault took more from it than it had. */
export function numberOf(value: Deno.KvU64): number {
  return Number(BigInt.asIntN(64, value.value));
}
