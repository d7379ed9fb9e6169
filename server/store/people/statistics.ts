/**
 * Reads the public statistics, and the numbers of people that single counters count. `overview.ts` reads the operator's
 * overview, `recount.ts` verifies the counters, and `waitlist/statistics.ts` adds them up. @module
 */
import type { Counter } from "../../../shared/counters.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  addUpStatistics,
  type CounterValue,
  type Counts,
  firstCountedDay,
  utcDay,
} from "../../waitlist/mod.ts";
import {
  asReadable,
  Batcher,
  counterKey,
  counterOf,
  type Entry,
  type Kv,
  type OnRun,
  readMany,
  readOne,
  readPage,
  statisticsSelector,
  type UnreadableEntry,
} from "../kv/mod.ts";

/**
 * The number of counters in a page. The range of {@linkcode statisticsSelector} has fewer counters, so one page has all
 * counters of the range: at most 91 days (13 weeks), 64 values of role and as many of use case (`MAX_SLUGS`), and a few
 * languages, forms and states. A page is a snapshot: it has either all writes of a commit or none.
 */
export const MAX_COUNTERS = 500;

const TOTAL = counterKey(["total"]);

/**
 * Reads the counters of {@linkcode statisticsSelector} in one snapshot. The version changes with every change of a
 * counter.
 */
export async function readStatisticsCounters(
  kv: Kv,
  firstDay: string,
): Promise<{ counters: CounterValue[]; version: string | null }> {
  const entries = await readPage<number>(kv, statisticsSelector(firstDay), { limit: MAX_COUNTERS });
  // The version of the total stands for all counters, because each commit that changes a counter writes the total.
  const total = entries.find(({ key }) => counterOf(key)[0] === "total");
  return {
    counters: entries.map(toCounterValue),
    // Only the types need `asReadable`: `toCounterValue` has thrown if the total cannot be read.
    version: (total && asReadable(total))?.version ?? null,
  };
}

/**
 * Gives a counter with its count. A counter below zero counts as 0, because 0 is the contract's minimum.
 * @throws {Error} if the counter cannot be read: without the counter, the statistics would differ from a recount
 */
export function toCounterValue(entry: Entry<number> | UnreadableEntry): CounterValue {
  const counter = counterOf(entry.key);
  if (!("fault" in entry)) return { counter, count: Math.max(0, entry.value) };
  const name = counter.join("/");
  throw new Error(
    `The counter ${name} cannot be read; 'waitlist counters repair' makes it anew from the records`,
  );
}

interface CountsReaderOptions extends Pick<Runtime, "now" | "monotonic"> {
  onRun?: OnRun;
}

/**
 * Makes a function that reads the counters, and gives what `describe` makes of the counters and of the present moment.
 * Calls that arrive while a read is running share the next read, so that the result of a call has everything that was
 * stored before the call. If no counter has changed since the last read, and the UTC day is the same, only the total is
 * read.
 */
export function createCountsReader<T>(
  kv: Kv,
  describe: (counts: Counts, moment: number) => T,
  { now, monotonic, onRun }: CountsReaderOptions,
): () => Promise<T> {
  let lastRead: { day: string; version: string | null; counts: Counts } | undefined;
  const batcher = new Batcher<void, T>({
    async run() {
      const moment = now();
      const day = utcDay(moment);
      const [total] = await readMany(kv, [TOTAL]);
      // Reads all counters if the total cannot be read, because reading them throws the right error.
      if (!total || lastRead?.version !== total.version || lastRead.day !== day) {
        const { counters, version } = await readStatisticsCounters(kv, firstCountedDay(moment));
        lastRead = { day, version, counts: addUpStatistics(counters, moment) };
      }
      return describe(lastRead.counts, moment);
    },
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...(onRun && { onRun }),
  });
  // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
  return () => batcher.add()!;
}

/**
 * Reads the number of people that a counter counts; `undefined` if the counter is below zero or cannot be read. The
 * function never throws, because its callers only show the number beside other results.
 */
export async function tryReadCount(
  kv: Kv,
  counter: Readonly<Counter>,
): Promise<number | undefined> {
  try {
    const { value } = await readOne<unknown>(kv, counterKey(counter));
    const count = value ?? 0;
    return typeof count === "number" && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the number of sign-ups, with which long work shows its progress. */
export const readTotal = (kv: Kv): Promise<number | undefined> => tryReadCount(kv, ["total"]);

/** Reads the number of waiting people; `undefined` if the counter is below zero or cannot be read. */
export const readWaiting = (kv: Kv): Promise<number | undefined> =>
  tryReadCount(kv, ["byState", "waiting"]);
