/**
 * The statistics: how counters add up to `WaitlistStats`. Because of the counters, the time of a request does not
 * depend on the number of sign-ups. `overview.ts` has the counts for operators. @module
 */
import { STATISTICS_MAPS } from "../../shared/counters.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import type { CounterValue } from "./counters.ts";
import { utcDay } from "./utc_day.ts";

/** The counts of `WaitlistStats` (contract, "WaitlistStats"). */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

/**
 * Gives the first UTC day that counts for `last30Days`. The last day is today, so this is the 29th day before today.
 * @param now the present moment, in milliseconds since 1970
 */
export const firstCountedDay = (now: number) => utcDay(now, 29);

/**
 * Adds up counters to the statistics. Values of answers, such as slugs, are left out if their count is zero.
 *
 * @param counters all counters; counters of days before {@linkcode firstCountedDay} may be missing
 * @param now the present moment, in milliseconds since 1970
 */
export function addUpStatistics(
  counters: Iterable<CounterValue>,
  now: number,
) {
  const sums = { total: 0, last7Days: 0, last30Days: 0 };
  const maps = new Map(STATISTICS_MAPS.map((name) => [name, [] as [key: string, count: number][]]));
  const today = utcDay(now);
  const firstOf7Days = utcDay(now, 6);
  const firstOf30Days = firstCountedDay(now);
  for (const { counter: [kind, key], count } of counters) {
    if (kind === "total") sums.total += count;
    else if (kind === "added") {
      if (key >= firstOf7Days && key <= today) sums.last7Days += count;
      if (key >= firstOf30Days && key <= today) sums.last30Days += count;
    } else if (count !== 0) maps.get(kind as typeof STATISTICS_MAPS[number])?.push([key, count]);
  }
  // `Object.fromEntries` is used, because an assignment to an object would lose a slug named `__proto__`.
  const byName = Array.from(maps, ([name, counts]) => [name, Object.fromEntries(counts)]);
  return { ...sums, ...Object.fromEntries(byName) as Pick<Counts, typeof STATISTICS_MAPS[number]> };
}
