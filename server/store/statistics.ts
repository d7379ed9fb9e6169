import { addUp, type Counts, firstCountedDay } from "../waitlist/statistics.ts";
import { Batcher } from "./batcher.ts";
import { counterOf, statisticsSelector } from "./keys.ts";
import { DEADLINE_MS } from "./deadline.ts";

/**
 * More than the counters can be (30 days, 2 languages, 2 forms, 64 roles, 64 buildings, the total), so
 * that the list is one batch: one snapshot, in which every commit is whole or absent.
 */
const BATCH_SIZE = 500;

/**
 * Reads the counts at this moment, at a cost that does not grow with the number of sign-ups.
 *
 * @param now milliseconds since 1970
 */
export async function readCounts(kv: Deno.Kv, now: number): Promise<Counts> {
  const entries = kv.list<Deno.KvU64>(statisticsSelector(firstCountedDay(now)), {
    batchSize: BATCH_SIZE,
  });
  const counters = [];
  for await (const { key, value } of entries) {
    counters.push({ counter: counterOf(key), count: Number(value.value) });
  }
  return addUp(counters, now);
}

/**
 * Makes the function that reads the counts and makes `describe`'s answer of them. Calls that arrive
 * while a read is under way share the next one and its answer, so that what was stored before a call is
 * always in it.
 *
 * @param describe is given the moment of the read, too, in milliseconds since 1970
 * @param now the clock, in milliseconds since 1970
 */
export function createCountsReader<T>(
  kv: Deno.Kv,
  describe: (counts: Counts, moment: number) => T,
  now: () => number,
): () => Promise<T> {
  const batcher = new Batcher<void, T>({
    async run() {
      const moment = now();
      return describe(await readCounts(kv, moment), moment);
    },
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: DEADLINE_MS,
    now,
  });
  return () => batcher.add() as Promise<T>;
}
