import { addUp, type Counts, firstCountedDay, utcDay } from "../waitlist/statistics.ts";
import { Batcher, type OnRun } from "./batcher.ts";
import { counterKey, counterOf, statisticsSelector } from "./keys.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { numberOf } from "./sign_ups.ts";

/**
 * More than the counters can be (30 days, 2 languages, 2 forms, 64 roles, 64 buildings, the total), so
 * that the list is one batch: one snapshot, in which every commit is whole or absent.
 */
const BATCH_SIZE = 500;

/** Counts as they were at one version of the counters. */
interface VersionedCounts {
  counts: Counts;
  /** The versionstamp of the total, which every change of a counter moves. */
  version: string | null;
}

/**
 * Reads the counts at this moment, at a cost that does not grow with the number of sign-ups.
 *
 * @param now milliseconds since 1970
 */
export async function readCounts(kv: Deno.Kv, now: number): Promise<Counts> {
  return (await readVersionedCounts(kv, now)).counts;
}

async function readVersionedCounts(kv: Deno.Kv, now: number): Promise<VersionedCounts> {
  const entries = kv.list<Deno.KvU64>(statisticsSelector(firstCountedDay(now)), {
    batchSize: BATCH_SIZE,
  });
  const counters = [];
  let version = null;
  for await (const { key, value, versionstamp } of entries) {
    const counter = counterOf(key);
    if (counter[0] === "total") version = versionstamp;
    // The contract's minimum is 0; `counters verify` shows a counter that is below it.
    counters.push({ counter, count: Math.max(0, numberOf(value)) });
  }
  return { counts: addUp(counters, now), version };
}

/** What a reader of the counts is made with. */
export interface CountsReaderOptions {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  onRun?: OnRun;
}

/**
 * Makes the function that reads the counts and makes `describe`'s answer of them. Calls that arrive
 * while a read is under way share the next one and its answer, so that what was stored before a call is
 * always in it. While no counter moves and the day is the same, a read looks at one key.
 *
 * @param describe is given the moment of the read, too, in milliseconds since 1970
 */
export function createCountsReader<T>(
  kv: Deno.Kv,
  describe: (counts: Counts, moment: number) => T,
  { now, monotonic, onRun }: CountsReaderOptions,
): () => Promise<T> {
  let last: VersionedCounts & { day: string } | undefined;
  const batcher = new Batcher<void, T>({
    async run() {
      const moment = now();
      const day = utcDay(moment);
      const { versionstamp } = await kv.get(TOTAL);
      if (last?.version !== versionstamp || last.day !== day) {
        last = { ...await readVersionedCounts(kv, moment), day };
      }
      return describe(last.counts, moment);
    },
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: DEADLINE_MS,
    monotonic,
    ...(onRun && { onRun }),
  });
  return () => batcher.add() as Promise<T>;
}

const TOTAL = counterKey(["total"]);

/**
 * How many sign-ups there are by the counter alone, to tell how far long work has come; `undefined`
 * where that cannot be read or is below zero. The work itself does not depend on it.
 */
export async function readTotal(kv: Deno.Kv): Promise<number | undefined> {
  try {
    const { value } = await withDeadline(DEADLINE_MS, () => kv.get<Deno.KvU64>(TOTAL));
    const total = value === null ? 0 : numberOf(value);
    return total < 0 ? undefined : total;
  } catch {
    return undefined;
  }
}
