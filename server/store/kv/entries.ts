/**
 * Reads entries of any number of keys, and adds to the numbers that are entries.
 *
 * @module
 */
import type { Counter } from "../../waitlist/mod.ts";
import { counterKey } from "./keys.ts";
import { isUnreadable } from "./pages.ts";

/**
 * Reads entries, in as few calls as KV allows; each call is one snapshot.
 *
 * @returns `undefined` for an entry that cannot be read, so that it does not fail the others
 */
export function readMany<T>(
  kv: Deno.Kv,
  keys: Deno.KvKey[],
): Promise<(Deno.KvEntryMaybe<T> | undefined)[]> {
  return readInTens(keys, (some) => {
    return kv.getMany<T[]>(some).catch(() => readOneByOne<T>(kv, some));
  });
}

/** Keys that one `getMany` takes. */
const READ_AT_ONCE = 10;

/** Reads the entries of any number of keys by a function that takes ten keys at the most. */
export async function readInTens<Entry>(
  keys: Deno.KvKey[],
  read: (some: Deno.KvKey[]) => Promise<Entry[]>,
): Promise<Entry[]> {
  const reads = [];
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    reads.push(read(keys.slice(from, from + READ_AT_ONCE)));
  }
  return (await Promise.all(reads)).flat();
}

function readOneByOne<T>(kv: Deno.Kv, keys: Deno.KvKey[]) {
  return Promise.all(keys.map(async (key) => {
    try {
      return await kv.get<T>(key);
    } catch (error) {
      if (await isUnreadable(kv, key)) return undefined;
      throw error;
    }
  }));
}

/** Adds a positive or negative number to a counter; KV adds modulo 2^64 and takes no sign. */
export function addToCounter(commit: Deno.AtomicOperation, counter: Counter, by: number): void {
  addToNumber(commit, counterKey(counter), by);
}

/** Adds a positive or negative number to the number under a key. */
export function addToNumber(commit: Deno.AtomicOperation, key: Deno.KvKey, by: number): void {
  commit.sum(key, BigInt.asUintN(64, BigInt(by)));
}

/** Gives a counter's number, which is below zero where a fault took more from it than it had. */
export function numberOf(value: Deno.KvU64): number {
  return Number(BigInt.asIntN(64, value.value));
}
