/**
 * The statistics: how counters add up to `WaitlistStats`. Because of the counters, the time of a request does not
 * depend on the number of sign-ups. `overview.ts` has the counts for operators. @module
 */
import { STATISTICS_MAPS } from "../../shared/counters.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import type { CounterValue } from "./counters.ts";
import { utcDay } from "./utc_day.ts";

/** A member of `WaitlistStats` that has a count for each value of a field, such as `byLang`. */
type StatisticsMap = typeof STATISTICS_MAPS[number];

/** The counts of `WaitlistStats` (contract, "WaitlistStats"). */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

/**
 * Gives the first UTC day that counts for `last30Days`. The last day is today, so this is the 29th day before today.
 * @param now the present moment, in milliseconds since 1970
 */
export const firstCountedDay = (now: number): string => utcDay(now, 29);

/**
 * Adds up counters to the statistics. Values of answers, such as slugs, are left out if their count is zero.
 *
 * @param counters all counters; counters of days before {@linkcode firstCountedDay} may be missing
 * @param now the present moment, in milliseconds since 1970
 */
export function addUpStatistics(
  counters: Iterable<CounterValue>,
  now: number,
): Counts {
  const sums = { total: 0, last7Days: 0, last30Days: 0 };
  /** The counts of each map. Counters of other kinds, such as `byState`, have no map here and are skipped. */
  const countsByMap = new Map<string, [value: string, count: number][]>(
    STATISTICS_MAPS.map((map) => [map, []]),
  );
  const today = utcDay(now);
  const firstOf7Days = utcDay(now, 6);
  const firstDay = firstCountedDay(now);
  for (const { counter: [kind, name], count } of counters) {
    if (kind === "total") sums.total += count;
    else if (kind === "added") {
      // The name of the counter is a day, such as `2026-11-21`.
      if (name >= firstOf7Days && name <= today) sums.last7Days += count;
      if (name >= firstDay && name <= today) sums.last30Days += count;
    } else if (count !== 0) countsByMap.get(kind)?.push([name, count]);
  }
  // `Object.fromEntries` is used, because an assignment to an object would lose a slug named `__proto__`.
  const mapEntries = Array.from(
    countsByMap,
    ([map, counts]) => [map, Object.fromEntries(counts)] as const,
  );
  // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
  const maps = Object.fromEntries(mapEntries) as Pick<Counts, StatisticsMap>;
  return { ...sums, ...maps };
}
