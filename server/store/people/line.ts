/**
 * The place in line in the store. Its counters move in the commits of people (`commit.ts`); `waitlist/place_in_line.ts`
 * says which counters count a person. @module
 */
import {
  LINE_LEVELS,
  type LineCounter,
  lineCountersOf,
  periodsBefore,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  Commit,
  type Key,
  type Kv,
  lineCounterOf,
  lineKey,
  lineSelector,
  pages,
  peopleSelector,
} from "../kv/mod.ts";

/** A level has at most 1,000 periods before a moment, so that one page has them. */
const PERIODS_AT_ONCE = 1_000;

/** Reads a person's place in line, from 1 on; `undefined` for a person who is not waiting. */
export async function readPlace(kv: Kv, record: SignUpRecord): Promise<number | undefined> {
  if (lineCountersOf(record).length === 0) return undefined;
  const counts = await Promise.all(
    periodsBefore(record.createdAt).map(async (range) => {
      let count = 0;
      for await (const page of pages<number>(kv, lineSelector(range), { limit: PERIODS_AT_ONCE })) {
        for (const entry of page) {
          if ("fault" in entry) throw new Error(`A counter of the line: ${entry.fault}`);
          count += entry.value;
        }
      }
      return count;
    }),
  );
  return 1 + counts.reduce((sum, count) => sum + count, 0);
}

/** Lists the counters of the person of an entry in a list; none but for an entry of the list of waiting people. */
export function lineCountersOfEntry([list, name, createdAt]: Key): LineCounter[] {
  if (list !== peopleSelector("waiting").prefix[0] || name !== "waiting") return [];
  return lineCountersOf({ createdAt: String(createdAt), state: "waiting" });
}

/** A counter of the line that does not count the people of its period. */
export interface LineDifference {
  counter: LineCounter;
  kept: number;
  recounted: number;
}

/**
 * Compares the counters of the line with the list of waiting people, in constant memory. Both are read in the order of
 * time. A counter that differs is looked at once more, because people may have changed meanwhile.
 * @param options.mends whether counters that are wrong get the right count
 * @param options.progress is yielded after each page, to show that the work goes on
 * @returns the counters that were wrong
 */
export async function* checkLine(
  kv: Kv,
  { mends, progress }: { mends: boolean; progress: number },
): AsyncGenerator<number, LineDifference[]> {
  const suspects: LineCounter[] = [];
  const levels = LINE_LEVELS.map((_, level) => createLevelCheck(kv, level, suspects));
  for await (const page of pages(kv, peopleSelector("waiting"))) {
    for (const { key } of page) {
      for (const { level, period } of lineCountersOfEntry(key)) await levels[level]!.add(period);
    }
    yield progress;
  }
  for (const level of levels) await level.end();
  const differences: LineDifference[] = [];
  for (const counter of suspects) {
    const difference = await lookClosely(kv, counter, mends);
    if (difference) differences.push(difference);
    yield progress;
  }
  return differences;
}

/** Compares the counters of a level with people who are added in the order of time. */
function createLevelCheck(kv: Kv, level: number, suspects: LineCounter[]) {
  const counters = countersOfLevel(kv, level);
  let current = { period: -Infinity, count: 0 };
  let next: { period: number; count: number } | undefined;
  let isAtEnd = false;

  async function readNext(): Promise<void> {
    const { done, value } = await counters.next();
    isAtEnd = done === true;
    next = value ?? undefined;
  }

  /** Compares the counter of the current period, and those before it, which count nobody. */
  async function compare(): Promise<void> {
    const { period, count } = current;
    if (!next && !isAtEnd) await readNext();
    for (; next && next.period < period; await readNext()) {
      if (next.count !== 0) suspects.push({ level, period: next.period });
    }
    const kept = next?.period === period ? next.count : 0;
    if (next?.period === period) await readNext();
    if (kept !== count) suspects.push({ level, period });
  }

  return {
    async add(period: number): Promise<void> {
      if (period !== current.period) {
        if (current.count > 0) await compare();
        current = { period, count: 0 };
      }
      current.count++;
    },
    async end(): Promise<void> {
      if (current.count > 0) await compare();
      current = { period: Infinity, count: 0 };
      await compare();
    },
  };
}

/** Reads the counters of a level in the order of time. A counter that cannot be read counts as wrong. */
async function* countersOfLevel(kv: Kv, level: number) {
  for await (const page of pages<number>(kv, lineSelector({ level, end: Infinity }))) {
    for (const entry of page) {
      const { period } = lineCounterOf(entry.key);
      yield { period, count: "fault" in entry ? NaN : entry.value };
    }
  }
}

/** How often a counter is read again because a commit moved it meanwhile. */
const MAX_TRIES = 20;

/**
 * Counts the people of a period again, and compares the count with the counter as it was before and after. Gives nothing
 * where the counter is right, or where it moved during each try: then commits go on moving it by what they change.
 */
async function lookClosely(
  kv: Kv,
  counter: LineCounter,
  mends: boolean,
): Promise<LineDifference | undefined> {
  const key = lineKey(counter);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [before] = await kv.get<number>([key]);
    const recounted = await countWaiting(kv, counter);
    const [after] = await kv.get<number>([key]);
    const isUnreadable = "fault" in before! || "fault" in after!;
    if (!isUnreadable && before!.version !== after!.version) continue;
    const kept = isUnreadable ? NaN : before!.value ?? 0;
    if (kept === recounted) return undefined;
    if (!mends) return { counter, kept: kept || 0, recounted };
    const commit = isUnreadable ? new Commit() : new Commit().check(before!);
    // An engine adds to no counter that it cannot read, so such a counter begins anew.
    if (isUnreadable || recounted === 0) commit.delete(key);
    if (recounted > 0) commit.add(key, recounted - (kept || 0));
    if (await kv.commit(commit) !== "conflict") return { counter, kept: kept || 0, recounted };
  }
}

/** Counts the waiting people who signed up first in a period, by their list. */
async function countWaiting(kv: Kv, { level, period }: LineCounter): Promise<number> {
  const { prefix } = peopleSelector("waiting");
  const length = LINE_LEVELS[level]!;
  const [start, end] = [period, period + 1]
    .map((each) => [...prefix, new Date(each * length).toISOString()]);
  let count = 0;
  for await (const page of pages(kv, { prefix, start: start!, end: end! })) count += page.length;
  return count;
}
