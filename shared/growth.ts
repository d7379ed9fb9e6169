/**
 * How the console and the CLI show the growth of the list: rows by day or by week, and comparisons of periods.
 * `server/waitlist/growth.ts` makes the days of an overview from counters.
 *
 * @module
 */
import { DAY } from "./durations.ts";
import { addDays, weekOf } from "./moments.ts";
import type { Overview } from "./operator_schemas.ts";

/** The sign-ups of a day or of a week. */
export interface GrowthRow extends Pick<Overview["days"][number], "byLang" | "bySource"> {
  /** The first UTC day of the row. */
  since: string;
  /** The last UTC day of the row. */
  until: string;
  /** The number of first sign-ups. */
  added: number;
  /** The number of people on the list at the end of the last day. */
  people: number;
}

/**
 * Makes a row for each day or week of an overview.
 *
 * @param options.since the first UTC day; by week, the first row is the week that contains this day
 * @param options.until the last UTC day; by default a text that sorts after all days, so that the rows go on to the
 * present day
 */
export function growthRows(
  { days, total }: Pick<Overview, "days" | "total">,
  { by, since, until = "~" }: { by: "day" | "week"; since: string; until?: string },
): GrowthRow[] {
  // The days are not grouped by `Map.groupBy()`, because the CLI also runs on Node 20, which lacks this function.
  const daysByRow = new Map<string, Overview["days"]>();
  for (const overviewDay of days) {
    const { day } = overviewDay;
    const rowName = by === "week" ? weekOf(day) : day;
    daysByRow.set(rowName, [...daysByRow.get(rowName) ?? [], overviewDay]);
  }
  // A running total of the people on the list. It starts with the number before the first day. Once a row is made, the
  // total is the number at the end of the row's last day.
  let people = total - sumOf(days.map(({ added }) => added));
  const rows = Array.from(daysByRow.values(), (daysOfRow): GrowthRow => {
    const firstDay = daysOfRow[0]!;
    const lastDay = daysOfRow.at(-1)!;
    const added = sumOf(daysOfRow.map(({ added }) => added));
    people += added;
    const answers = firstDay.byLang && {
      byLang: sumByName(daysOfRow.map(({ byLang }) => byLang)),
      bySource: sumByName(daysOfRow.map(({ bySource }) => bySource)),
    };
    return { since: firstDay.day, until: lastDay.day, added, people, ...answers };
  });
  return rows.filter((row) => row.until >= since && row.since <= until);
}

/** The numbers of first sign-ups in a period of days and in the period of the same length before it. */
export interface Comparison {
  /** The number of first sign-ups in the period. */
  added: number;
  /** The number of first sign-ups in the period before. */
  before: number;
  /**
   * The change as a share of `before`, such as 0.2 for 20 % more; absent if one of the numbers is 0, because such a share
   * says no more than the numbers, and absent after an import.
   */
  change?: number;
  /**
   * Whether people may be counted whom an import has added since the first of the days. They count on the days of their
   * first sign-up, so the numbers of two periods can differ although as many people as before sign up.
   */
  mayHaveImported: boolean;
}

/** Compares the sign-ups from one UTC day to another, both included, with the sign-ups of as many days before them. */
export function compareDays(
  { days, lastDone }: Pick<Overview, "days" | "lastDone">,
  since: string,
  until: string,
): Comparison {
  const numberOfDays = daysBetween(since, until);
  const firstDay = addDays(since, -numberOfDays);
  const addedBetween = (first: string, last: string) =>
    sumOf(days.filter(({ day }) => day >= first && day <= last).map(({ added }) => added));
  const added = addedBetween(since, until);
  const before = addedBetween(firstDay, addDays(since, -1));
  // Nobody in a file has signed up after the import of the file, so an earlier import has nobody on these days.
  const mayHaveImported = (lastDone.import ?? "") >= firstDay;
  const hasChange = added > 0 && before > 0 && !mayHaveImported;
  return { added, before, mayHaveImported, ...hasChange && { change: (added - before) / before } };
}

/** Compares the last seven full UTC days with the seven days before them. @param today the present UTC day */
export const compareFullDays = (
  overview: Pick<Overview, "days" | "lastDone">,
  today: string,
): Comparison => compareDays(overview, addDays(today, -7), addDays(today, -1));

/** Returns the number of UTC days from one day to another, both included. */
export const daysBetween = (since: string, until: string): number =>
  Math.round((Date.parse(until) - Date.parse(since)) / DAY) + 1;

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Adds up several lists of counts: returns one sum for each name. A missing list counts as an empty list. */
function sumByName(counts: (Record<string, number> | undefined)[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts.flatMap((countByName) => Object.entries(countByName ?? {}))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  // `fromEntries` is used, because assigning to a member `__proto__` would lose its count.
  return Object.fromEntries(sums);
}
