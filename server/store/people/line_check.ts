/**
 * Compares the counters of the place in line with the list of waiting people, and repairs the counters. The counters
 * form a tree over time (`waitlist/place_in_line.ts`): each level divides time into periods of one length, and each
 * period has a counter of its waiting people. `line.ts` reads places in line by these counters. @module
 */
import {
  childPeriodsOf,
  LINE_LEVELS,
  type LineCounter,
  parentPeriodOf,
} from "../../waitlist/mod.ts";
import {
  Commit,
  commitChange,
  type Key,
  type Kv,
  lineCounterOf,
  lineKey,
  lineSelector,
  type MaybeEntry,
  pages,
  peopleOfSecondSelector,
  peopleSelector,
  readPage,
  type UnreadableEntry,
  type Version,
  withPausesForRequests,
} from "../kv/mod.ts";
import { countEntries, lineCountersOfListKey } from "./line.ts";
import { type Count, mergeCounts, type StoredCount, sumBySortKey } from "./merged_counts.ts";

/** A counter of the place in line that differs from the number of people in its period. */
export interface LineDifference {
  counter: LineCounter;
  /** 0 if the counter cannot be read. */
  storedCount: number;
  recounted: number;
}

/**
 * Compares the counters of the place in line with the list of waiting people. The lowest level is compared with the
 * list, and each other level with the level below. All levels are compared together, in the order of time, so that the
 * list and each counter are read only once. If a counter differs, the people of its period are counted again. The
 * memory grows only with the number of these periods.
 * @param options.repairs whether a wrong counter gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the counters that were wrong
 */
export async function* checkLine(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, LineDifference[]> {
  const differences: LineDifference[] = [];
  /** The differences of the level below the present level. */
  let differencesBelow: LineDifference[] = [];
  for (const [level, suspectPeriods] of (await findSuspectPeriods(kv)).entries()) {
    const differencesOfLevel: LineDifference[] = [];
    // The number of people that the counters of the level below lack, for each period of this level. Each such period is
    // counted again, because it was compared with a wrong counter.
    const missingBelow = sumOfDifferences(differencesBelow);
    for (const period of new Set([...suspectPeriods, ...missingBelow.keys()])) {
      // After a repair, the counters of the level below are right.
      const missing = repairs ? 0 : missingBelow.get(period) ?? 0;
      const difference = await recountPeriod(kv, { level, period }, { missing, repairs });
      if (difference) differencesOfLevel.push(difference);
      yield progress;
    }
    for (const difference of differencesOfLevel) differences.push(difference);
    differencesBelow = differencesOfLevel;
  }
  return differences;
}

/**
 * Finds the periods whose people must be counted again, because the counter differs from the list or from the counters
 * of the level below. Such a counter may be right, because people may change while the levels are read.
 * @returns the periods of each level, beginning with the lowest level
 */
async function findSuspectPeriods(kv: Kv): Promise<number[][]> {
  const suspectPeriods: number[][] = LINE_LEVELS.map(() => []);
  let counts = readPeriodsOfPeople(kv);
  for (const [level, suspectsOfLevel] of suspectPeriods.entries()) {
    counts = compareLevel(kv, { level, countsBelow: counts, suspectPeriods: suspectsOfLevel });
  }
  // Each level reads the level below, so reading the highest level reads all levels.
  for await (const _ of counts);
  return suspectPeriods;
}

/** Pages of counts, in the order of time. The sort key of a count is a period. */
type PeriodCounts = AsyncGenerator<Count<number>[]>;

/**
 * Compares the counters of a level with the counts of the level below, and adds each period that differs to
 * `suspectPeriods`. Gives the stored count of each period. The sort key of this count is the longer period of the level
 * above.
 */
async function* compareLevel(
  kv: Kv,
  { level, countsBelow, suspectPeriods }: {
    level: number;
    countsBelow: PeriodCounts;
    suspectPeriods: number[];
  },
): PeriodCounts {
  const isHighest = level === LINE_LEVELS.length - 1;
  const pairs = mergeCounts(readStoredCounts(kv, level), sumBySortKey(countsBelow));
  for await (const { sortKey: period, storedCount, recounted } of pairs) {
    if (storedCount !== recounted) suspectPeriods.push(period);
    if (isHighest) continue;
    yield [{ sortKey: parentPeriodOf({ level, period }), count: storedCount ?? 0 }];
  }
}

/**
 * Adds up the differences of a level for each period of the level above. The sum says how many people the counters of
 * the level lack together; it is negative if the counters have too many people.
 */
function sumOfDifferences(differences: LineDifference[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { counter, storedCount, recounted } of differences) {
    const parentPeriod = parentPeriodOf(counter);
    sums.set(parentPeriod, (sums.get(parentPeriod) ?? 0) + recounted - storedCount);
  }
  return sums;
}

/** Reads the counters of a level in the order of their periods. */
async function* readStoredCounts(kv: Kv, level: number): AsyncGenerator<StoredCount<number>> {
  for await (
    const page of withPausesForRequests(pages<number>(kv, lineSelector({ level, end: Infinity })))
  ) {
    for (const entry of page) {
      const { period } = lineCounterOf(entry.key);
      yield { sortKey: period, count: "fault" in entry ? undefined : entry.value };
    }
  }
}

/** Reads, for each waiting person, the period of the lowest level, in the order of time. Each person counts 1. */
async function* readPeriodsOfPeople(kv: Kv): PeriodCounts {
  for await (const page of withPausesForRequests(pages(kv, peopleSelector("waiting")))) {
    yield page.flatMap(({ key }) => {
      const [lowest] = lineCountersOfListKey(key);
      return lowest ? { sortKey: lowest.period, count: 1 } : [];
    });
  }
}

/** How many times the people of a period are counted at most, if commits change the counter during each count. */
const MAX_ATTEMPTS = 20;

/**
 * Counts the people of a period again, between two reads of the period's counter. If the counter has the same version
 * in both reads, the people have not changed meanwhile, because every change of these people writes the counter.
 * @param options.missing how many people the counters of the level below are known to lack
 * @returns `undefined` if the counter is right, or if the counter changed during every attempt; the next check then
 * compares the counter again
 */
function recountPeriod(
  kv: Kv,
  counter: LineCounter,
  { missing, repairs }: { missing: number; repairs: boolean },
): Promise<LineDifference | undefined> {
  const key = lineKey(counter);
  let attempts = 0;
  return commitChange<LineDifference | undefined>(kv, async () => {
    attempts++;
    if (attempts > MAX_ATTEMPTS) return { result: () => undefined };
    const entryBefore = await readCounter(kv, key);
    const recounted = await countPeriod(kv, counter) + missing;
    const entry = await readCounter(kv, key);
    // If the counter has changed during the count, gives `undefined`, so that `commitChange()` begins again.
    if (versionOf(entryBefore) !== versionOf(entry)) return undefined;
    const storedCount = "fault" in entry ? undefined : entry.value ?? 0;
    if (storedCount === recounted) return { result: () => undefined };
    const difference = { counter, storedCount: storedCount ?? 0, recounted };
    return { ...repairs && { commit: repairOf(entry, recounted) }, result: () => difference };
  });
}

/** Reads the entry of a counter, which may be unreadable. */
async function readCounter(kv: Kv, key: Key): Promise<MaybeEntry<number> | UnreadableEntry> {
  const [entry] = await kv.get<number>([key]);
  return entry!;
}

/** Makes the commit that gives a counter the right count. */
function repairOf(entry: MaybeEntry<number> | UnreadableEntry, rightCount: number): Commit {
  const commit = new Commit();
  const { key } = entry;
  // A counter that cannot be read has no version that a commit could check, so it is overwritten without a check. If
  // two processes repair the counter at the same moment, the next check compares it again. The counter is deleted
  // first, because an engine may add nothing to a counter that it cannot read.
  if ("fault" in entry) {
    commit.delete(key);
    if (rightCount > 0) commit.add(key, rightCount);
    return commit;
  }
  commit.check(entry);
  if (rightCount > 0) commit.add(key, rightCount - (entry.value ?? 0));
  else commit.delete(key);
  return commit;
}

/** Gives the version of an entry; the same text for all entries that cannot be read. */
const versionOf = (entry: MaybeEntry | UnreadableEntry): Version | "unreadable" | null =>
  "fault" in entry ? "unreadable" : entry.version;

/** Counts the people of a period: in the list of waiting people, or by the counters of the level below. */
async function countPeriod(kv: Kv, counter: LineCounter): Promise<number> {
  if (counter.level === 0) {
    return await countEntries(kv, peopleOfSecondSelector("waiting", counter.period));
  }
  const countersOfLevelBelow = await readPage<number>(kv, lineSelector(childPeriodsOf(counter)));
  return countersOfLevelBelow.reduce(
    (sum, entry) => "fault" in entry ? sum : sum + entry.value,
    0,
  );
}
