/**
 * Compares the counters of the place in line with the list of waiting people, and repairs them. `line.ts` reads places
 * by these counters. @module
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
  type Kv,
  lineCounterOf,
  lineKey,
  lineSelector,
  type MaybeEntry,
  pages,
  peopleOfSecondSelector,
  peopleSelector,
  readPage,
  type Unreadable,
  type Version,
  withPausesForRequests,
} from "../kv/mod.ts";
import { countListed, lineCountersOfListKey } from "./line.ts";
import { type Count, mergeCounts, sumByPlace } from "./merged_counts.ts";

/** A counter of the place in line that differs from the number of people in its period. */
export interface LineDifference {
  counter: LineCounter;
  /** The stored count; 0 if the counter cannot be read. */
  kept: number;
  recounted: number;
}

/**
 * Compares the counters of the place in line with the list of waiting people. The counters of the lowest level are
 * compared with the list, and those of every other level with the counters of the level below. All levels are compared
 * together, in the order of time, so that the list and each counter are read only once; periods that differ are counted
 * again. The memory grows only with the number of counters that differ, or that change between the two reads.
 * @param options.repairs whether a wrong counter gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the counters that were wrong
 */
export async function* checkLine(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, LineDifference[]> {
  const differences: LineDifference[] = [];
  let foundBelow: LineDifference[] = [];
  for (const [level, suspects] of (await findSuspects(kv)).entries()) {
    const faults = faultsOf(foundBelow);
    const found: LineDifference[] = [];
    // In the periods of `faults`, counters of the level below were wrong, so that the comparison tells nothing there.
    for (const period of new Set([...suspects, ...faults.keys()])) {
      const fault = repairs ? 0 : faults.get(period) ?? 0;
      const difference = await recountPeriod(kv, { level, period }, { fault, repairs });
      if (difference) found.push(difference);
      yield progress;
    }
    for (const difference of found) differences.push(difference);
    foundBelow = found;
  }
  return differences;
}

/**
 * Finds the periods whose people must be counted again, because the counter differs from the list or from the counters
 * of the level below. The counter may be right, because people may have changed between the two reads.
 * @returns the periods of each level
 */
async function findSuspects(kv: Kv): Promise<number[][]> {
  const suspects: number[][] = LINE_LEVELS.map(() => []);
  let recounts = readMomentsOfPeople(kv);
  for (const [level, ofLevel] of suspects.entries()) {
    recounts = compareLevel(kv, { level, recounts, suspects: ofLevel });
  }
  // Each level reads the level below, so reading the highest level reads all of them.
  for await (const _ of recounts);
  return suspects;
}

/** Some counts, in the order of their places. */
type Recounts = AsyncGenerator<{ place: number; count: number }[]>;

/**
 * Compares the counters of a level with the counts of the level below, and adds each period that differs to `suspects`.
 * Gives the stored counts, whose places are the periods of the level above.
 */
async function* compareLevel(
  kv: Kv,
  { level, recounts, suspects }: { level: number; recounts: Recounts; suspects: number[] },
): Recounts {
  const counts = mergeCounts(readKeptCounts(kv, level), sumByPlace(recounts));
  for await (const { place: period, kept, recounted } of counts) {
    if (kept !== recounted) suspects.push(period);
    // No level is above the highest one.
    if (level + 1 === LINE_LEVELS.length) continue;
    yield [{ place: parentPeriodOf({ level, period }), count: kept ?? 0 }];
  }
}

/**
 * Adds up the differences of a level for each period of the level above. The sum says by how many people the counters of
 * the level were too low together; it is negative if they were too high.
 */
function faultsOf(differences: LineDifference[]): ReadonlyMap<number, number> {
  const faults = new Map<number, number>();
  for (const { counter, kept, recounted } of differences) {
    const longer = parentPeriodOf(counter);
    faults.set(longer, (faults.get(longer) ?? 0) + recounted - kept);
  }
  return faults;
}

/** Reads the counters of a level in the order of their periods. */
async function* readKeptCounts(kv: Kv, level: number): AsyncGenerator<Count<number>> {
  for await (
    const page of withPausesForRequests(pages<number>(kv, lineSelector({ level, end: Infinity })))
  ) {
    for (const entry of page) {
      const { period } = lineCounterOf(entry.key);
      yield { place: period, count: "fault" in entry ? undefined : entry.value };
    }
  }
}

/** Reads, for each waiting person, the period of the lowest level, in the order of time. Each person counts 1. */
async function* readMomentsOfPeople(kv: Kv): Recounts {
  for await (const page of withPausesForRequests(pages(kv, peopleSelector("waiting")))) {
    yield page.flatMap(({ key }) => {
      const [lowest] = lineCountersOfListKey(key);
      return lowest ? { place: lowest.period, count: 1 } : [];
    });
  }
}

/** How many times the people of a period are counted at most, if commits change the counter during each count. */
const MAX_ATTEMPTS = 20;

/**
 * Counts the people of a period again, between two reads of its counter. If the counter has the same version in both
 * reads, the people have not changed meanwhile, because every change of these people writes the counter.
 * @param options.fault by how many people the counters of the level below are known to be too low
 * @returns `undefined` if the counter is right, or if it changed during every try; the next check then compares it
 * again
 */
function recountPeriod(
  kv: Kv,
  counter: LineCounter,
  { fault, repairs }: { fault: number; repairs: boolean },
): Promise<LineDifference | undefined> {
  const key = lineKey(counter);
  let attempts = 0;
  return commitChange<LineDifference | undefined>(kv, async () => {
    attempts++;
    if (attempts > MAX_ATTEMPTS) return { result: () => undefined };
    const [before] = await kv.get<number>([key]);
    const recounted = await countPeriod(kv, counter) + fault;
    const [after] = await kv.get<number>([key]);
    // If the counter has changed during the count, gives `undefined`, so that `commitChange()` begins again.
    if (versionOf(before!) !== versionOf(after!)) return undefined;
    const kept = "fault" in after! ? undefined : after!.value ?? 0;
    if (kept === recounted) return { result: () => undefined };
    const difference = { counter, kept: kept ?? 0, recounted };
    return { ...repairs && { commit: repairOf(after!, recounted) }, result: () => difference };
  });
}

/** Makes the commit that gives a counter the right count. */
function repairOf(counter: MaybeEntry<number> | Unreadable, recounted: number): Commit {
  const commit = new Commit();
  const { key } = counter;
  // A counter that cannot be read has no version that a commit could check, so it is overwritten without a check. If
  // two processes repair the counter at the same moment, the next check compares it again. The counter is deleted
  // first, because an engine may add nothing to a counter that it cannot read.
  if ("fault" in counter) {
    commit.delete(key);
    if (recounted > 0) commit.add(key, recounted);
    return commit;
  }
  commit.check(counter);
  if (recounted > 0) commit.add(key, recounted - (counter.value ?? 0));
  else commit.delete(key);
  return commit;
}

/** Gives the version of an entry; the same text for all entries that cannot be read. */
const versionOf = (entry: MaybeEntry | Unreadable): Version | "unreadable" | null =>
  "fault" in entry ? "unreadable" : entry.version;

/** Counts the people of a period: in the list of waiting people, or by the counters of the level below. */
async function countPeriod(kv: Kv, counter: LineCounter): Promise<number> {
  if (counter.level === 0) {
    return await countListed(kv, peopleOfSecondSelector("waiting", counter.period));
  }
  const countersOfLevelBelow = await readPage<number>(kv, lineSelector(childPeriodsOf(counter)));
  return countersOfLevelBelow.reduce(
    (sum, entry) => "fault" in entry ? sum : sum + entry.value,
    0,
  );
}
