/**
 * Compares the counters of the place in line with the list of waiting people, and repairs them. `line.ts` reads places
 * by these counters. @module
 */
import { LINE_LEVELS, type LineCounter } from "../../waitlist/mod.ts";
import {
  Commit,
  type Kv,
  lineCounterOf,
  lineKey,
  lineSelector,
  type MaybeEntry,
  pages,
  peopleSelector,
  type Unreadable,
  type Version,
} from "../kv/mod.ts";
import { lineCountersOfListKey } from "./line.ts";
import { type Count, countByPlace, mergeCounts } from "./merged_counts.ts";

/** A counter of the place in line that differs from the number of people in its period. */
export interface LineDifference {
  counter: LineCounter;
  /** The kept count; 0 if the counter cannot be read. */
  kept: number;
  recounted: number;
}

/**
 * Compares the counters of the place in line with the list of waiting people, in constant memory: both are read in
 * the order of time, once for each level. A counter that differs is recounted, because people may have changed
 * between the two reads.
 * @param options.repairs whether a wrong counter gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the counters that were wrong
 */
export async function* checkLine(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, LineDifference[]> {
  const differences: LineDifference[] = [];
  for (const level of LINE_LEVELS.keys()) {
    const counts = mergeCounts(keptCounts(kv, level), countByPlace(periodsOfPeople(kv, level)));
    for await (const { place: period, kept, recounted } of counts) {
      if (kept === recounted) continue;
      const difference = await recountPeriod(kv, { level, period }, repairs);
      if (difference) differences.push(difference);
      yield progress;
    }
    yield progress;
  }
  return differences;
}

/** Reads the counters of a level in the order of their periods. */
async function* keptCounts(kv: Kv, level: number): AsyncGenerator<Count<number>> {
  for await (const page of pages<number>(kv, lineSelector({ level, end: Infinity }))) {
    for (const entry of page) {
      const { period } = lineCounterOf(entry.key);
      yield { place: period, count: "fault" in entry ? undefined : entry.value };
    }
  }
}

/** Reads the periods of the waiting people on a level, in the order of time. */
async function* periodsOfPeople(kv: Kv, level: number): AsyncGenerator<number[]> {
  for await (const page of pages(kv, peopleSelector("waiting"))) {
    yield page.flatMap(({ key }) => lineCountersOfListKey(key)[level]?.period ?? []);
  }
}

/** How often a period is counted again because a commit has moved its counter meanwhile. */
const MAX_TRIES = 20;

/**
 * Counts the people of a period again, between two reads of its counter. If both reads give the same counter, the
 * count is of that moment, because every change of these people moves the counter.
 * @returns `undefined` if the counter is right, or if it moved during every try; the next check then compares it
 * again
 */
async function recountPeriod(
  kv: Kv,
  counter: LineCounter,
  repairs: boolean,
): Promise<LineDifference | undefined> {
  const key = lineKey(counter);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [before] = await kv.get<number>([key]);
    const recounted = await countWaiting(kv, counter);
    const [after] = await kv.get<number>([key]);
    if (versionOf(before!) !== versionOf(after!)) continue;
    const kept = "fault" in after! ? undefined : after!.value ?? 0;
    if (kept === recounted) return undefined;
    const difference = { counter, kept: kept ?? 0, recounted };
    if (!repairs) return difference;
    const commit = new Commit();
    // A commit cannot check a counter that cannot be read, because such a counter has no version. If two processes
    // repair the counter at the same moment, the next check compares it again.
    if (!("fault" in after!)) commit.check(after!);
    // Deletes a counter that cannot be read, because an engine adds nothing to such a counter.
    if (kept === undefined || recounted === 0) commit.delete(key);
    if (recounted > 0) commit.add(key, recounted - (kept ?? 0));
    if (await kv.commit(commit) !== "conflict") return difference;
  }
  return undefined;
}

/** Gives the version of an entry. All entries that cannot be read have the same version here. */
const versionOf = (entry: MaybeEntry | Unreadable): Version | "unreadable" | null =>
  "fault" in entry ? "unreadable" : entry.version;

/** Counts, in the list of waiting people, the people whose first sign-up was in a period. */
async function countWaiting(kv: Kv, { level, period }: LineCounter): Promise<number> {
  const { prefix } = peopleSelector("waiting");
  const length = LINE_LEVELS[level]!;
  const [start, end] = [period, period + 1]
    .map((each) => [...prefix, new Date(each * length).toISOString()]);
  let count = 0;
  for await (const page of pages(kv, { prefix, start: start!, end: end! })) count += page.length;
  return count;
}
