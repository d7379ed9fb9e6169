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
  forLongWork,
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
 * The faults of the counters of a level that were found and not repaired, by the periods of the level above. For each
 * such period, the number says by how many people the counters are too low together; it is negative if they are too
 * high.
 */
type Faults = ReadonlyMap<number, number>;

/**
 * Compares the counters of the place in line with the list of waiting people, in constant memory. The counters of the
 * lowest level are compared with the list, and those of every other level with the counters of the level below, so that
 * the list is read only once. Counters and people are read in the order of time.
 * @param options.repairs whether a wrong counter gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the counters that were wrong
 */
export async function* checkLine(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, LineDifference[]> {
  const differences: LineDifference[] = [];
  /** The differences of the level below; none if they were repaired. */
  let below: LineDifference[] = [];
  for (const level of LINE_LEVELS.keys()) {
    const faults = faultsOf(below);
    const found: LineDifference[] = [];
    for await (const period of findSuspects(kv, level, faults)) {
      const fault = faults.get(period) ?? 0;
      const difference = await recountPeriod(kv, { level, period }, { fault, repairs });
      if (difference) found.push(difference);
      yield progress;
    }
    differences.push(...found);
    below = repairs ? [] : found;
    yield progress;
  }
  return differences;
}

/**
 * Finds the periods of a level whose people must be counted again:
 * - periods whose counter differs from the list or from the counters of the level below. The counter may be right,
 *   because people may have changed between the two reads
 * - all periods of `faults`, because the counters of the level below are wrong there, so that the comparison tells
 *   nothing
 */
async function* findSuspects(kv: Kv, level: number, faults: Faults): AsyncGenerator<number> {
  const recounts = level === 0 ? readMomentsOfPeople(kv) : readCountersBelow(kv, level);
  const counts = mergeCounts(readKeptCounts(kv, level), sumByPlace(recounts));
  for await (const { place: period, kept, recounted } of counts) {
    if (kept !== recounted && !faults.has(period)) yield period;
  }
  yield* faults.keys();
}

/** Adds up the differences of a level for each period of the level above. */
function faultsOf(differences: LineDifference[]): Faults {
  const faults = new Map<number, number>();
  for (const { counter, kept, recounted } of differences) {
    const longer = parentPeriodOf(counter);
    faults.set(longer, (faults.get(longer) ?? 0) + recounted - kept);
  }
  return faults;
}

/** Reads the counters of a level in the order of their periods. */
async function* readKeptCounts(kv: Kv, level: number): AsyncGenerator<Count<number>> {
  for await (const page of forLongWork(pages<number>(kv, lineSelector({ level, end: Infinity })))) {
    for (const entry of page) {
      const { period } = lineCounterOf(entry.key);
      yield { place: period, count: "fault" in entry ? undefined : entry.value };
    }
  }
}

/** Reads, for each waiting person, the period of the lowest level, in the order of time. Each person counts 1. */
async function* readMomentsOfPeople(kv: Kv): AsyncGenerator<{ place: number; count: number }[]> {
  for await (const page of forLongWork(pages(kv, peopleSelector("waiting")))) {
    yield page.flatMap(({ key }) => {
      const [lowest] = lineCountersOfListKey(key);
      return lowest ? { place: lowest.period, count: 1 } : [];
    });
  }
}

/**
 * Reads the counters of the level below `level`. The place of each counter is the period of `level` that holds the
 * period of the counter.
 */
async function* readCountersBelow(
  kv: Kv,
  level: number,
): AsyncGenerator<{ place: number; count: number }[]> {
  const below = { level: level - 1, end: Infinity };
  for await (const page of forLongWork(pages<number>(kv, lineSelector(below)))) {
    yield page.map((entry) => ({
      place: parentPeriodOf(lineCounterOf(entry.key)),
      count: "fault" in entry ? 0 : entry.value,
    }));
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
