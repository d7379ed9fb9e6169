/**
 * Writes and reads the numbers that commits add to.
 *
 * @module
 */
import type { Counter } from "../../waitlist/mod.ts";
import { counterKey } from "./keys.ts";

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
