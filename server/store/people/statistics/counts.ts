/**
 * Reads the statistics from their counters.
 *
 * @module
 */
import type { Runtime } from "../../../runtime/mod.ts";
import { addUp, type Counts, firstCountedDay, utcDay } from "../../../waitlist/mod.ts";
import {
  Batcher,
  counterKey,
  counterOf,
  deadlineOf,
  numberOf,
  type OnRun,
  statisticsSelector,
  withKvDeadline,
} from "../../kv/mod.ts";

/**
 * More than there can be counters (30 days, 2 languages, 2 forms, 64 roles, 64 buildings, the total), so
 * that the list is one batch and one snapshot, which has each commit as a whole or not at all.
 */
const BATCH_SIZE = 500;

/** Counts, and the version of the counters that they were added up from. */
interface VersionedCounts {
  counts: Counts;
  /** The versionstamp of the total, which changes with every counter. */
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
    // The contract's minimum is 0; `counters verify` shows counters below it.
    counters.push({ counter, count: Math.max(0, numberOf(value)) });
  }
  return { counts: addUp(counters, now), version };
}

/** What {@linkcode createCountsReader} needs besides KV. */
export interface CountsReaderOptions extends Pick<Runtime, "now" | "monotonic"> {
  onRun?: OnRun;
}

/**
 * Makes the function that reads the counts and gives what `describe` makes of them. Calls that arrive while
 * a read is under way share the next read, so that the answer has everything that was stored before the
 * call. While no counter moves and the day is the same, a read gets only one key.
 *
 * @param describe is also given the moment of the read, in milliseconds since 1970
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
    deadlineMs: deadlineOf(kv),
    monotonic,
    ...(onRun && { onRun }),
  });
  return () => batcher.add() as Promise<T>;
}

const TOTAL = counterKey(["total"]);

/**
 * Reads the number of sign-ups from its counter, so that long work can tell its progress; `undefined` where
 * the counter cannot be read or is below zero.
 */
export async function readTotal(kv: Deno.Kv): Promise<number | undefined> {
  try {
    const { value } = await withKvDeadline(kv, () => kv.get<Deno.KvU64>(TOTAL));
    const total = value === null ? 0 : numberOf(value);
    return total < 0 ? undefined : total;
  } catch {
    return undefined;
  }
}
