/**
 * The statistics: how counters add up to `WaitlistStats`. A counter is a stored number that the commits of changes keep
 * up to date, such as the number of sign-ups of a day (`counters.ts`). A request for the statistics reads only
 * counters, so its time does not depend on the number of sign-ups. `overview.ts` has the counts for operators. @module
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
  // Counters of other kinds, such as `byState`, have no map here and are skipped.
  const countsByKind = new Map<string, Map<string, number>>(
    STATISTICS_MAPS.map((kind) => [kind, new Map()]),
  );
  const today = utcDay(now);
  const firstDays = { last7Days: utcDay(now, 6), last30Days: firstCountedDay(now) };
  for (const { counter: [kind, name], count } of counters) {
    if (kind === "total") sums.total += count;
    else if (kind === "added") {
      // The name of the counter is a day, such as `2026-11-21`.
      if (name >= firstDays.last7Days && name <= today) sums.last7Days += count;
      if (name >= firstDays.last30Days && name <= today) sums.last30Days += count;
    } else if (count !== 0) countsByKind.get(kind)?.set(name, count);
  }
  // `Object.fromEntries` is used, because an assignment to an object would lose a slug named `__proto__`.
  const countsOf = (kind: typeof STATISTICS_MAPS[number]): Record<string, number> =>
    Object.fromEntries(countsByKind.get(kind)!);
  return {
    ...sums,
    byLang: countsOf("byLang"),
    byRole: countsOf("byRole"),
    byBuilding: countsOf("byBuilding"),
    bySource: countsOf("bySource"),
  };
}
