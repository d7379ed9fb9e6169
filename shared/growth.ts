/**
 * How the list grows: the service makes the days and weeks of an overview from counters, and the console and the CLI show
 * them as rows by day or by week.
 *
 * @module
 */
import { type Counter, STEPS } from "./counters.ts";
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
 * @param options.since the first UTC day; by week, the rows begin with the week of this day
 * @param options.until the last UTC day; absent for the present day
 */
export function growthRows(
  { days, total }: Pick<Overview, "days" | "total">,
  { by, since, until = "~" }: { by: "day" | "week"; since: string; until?: string },
): GrowthRow[] {
  let people = total - days.reduce((sum, { added }) => sum + added, 0);
  const groups = new Map<string, Overview["days"]>();
  for (const each of days) {
    const name = by === "week" ? weekOf(each.day) : each.day;
    groups.set(name, [...groups.get(name) ?? [], each]);
  }
  const rows = Array.from(groups.values(), (group): GrowthRow => {
    const added = group.reduce((sum, { added }) => sum + added, 0);
    const [first, last] = [group[0]!, group.at(-1)!];
    const answers = first.byLang && {
      byLang: sumOf(group.map(({ byLang }) => byLang)),
      bySource: sumOf(group.map(({ bySource }) => bySource)),
    };
    return { since: first.day, until: last.day, added, people: people += added, ...answers };
  });
  return rows.filter((row) => row.until >= since && row.since <= until);
}

/** The sign-ups of some days, and of as many days before them. */
export interface Comparison {
  added: number;
  before: number;
  /** The change as a share of `before`, such as 0.2; absent if nobody signed up before. */
  change?: number;
}

/** Compares the sign-ups from one UTC day to another, both included, with the sign-ups of as many days before them. */
export function compareDays(
  { days }: Pick<Overview, "days">,
  since: string,
  until: string,
): Comparison {
  const length = daysBetween(since, until);
  const sumFrom = (first: string, last: string) =>
    days.filter(({ day }) => day >= first && day <= last)
      .reduce((sum, { added }) => sum + added, 0);
  const added = sumFrom(since, until);
  const before = sumFrom(addDays(since, -length), addDays(since, -1));
  return { added, before, ...before > 0 && { change: (added - before) / before } };
}

/** Compares the last seven full UTC days with the seven days before them. @param today the present UTC day */
export const compareFullDays = (overview: Pick<Overview, "days">, today: string): Comparison =>
  compareDays(overview, addDays(today, -7), addDays(today, -1));

/** Returns the number of UTC days from one day to another, both included. */
export const daysBetween = (since: string, until: string): number =>
  Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS) + 1;

const DAY_MS = 86_400_000;

function sumOf(counts: (Record<string, number> | undefined)[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts.flatMap((each) => Object.entries(each ?? {}))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

/** The number of days in an overview by default, with the present day. */
const DAYS = 90;

/** The greatest number of days in an overview: ten years. */
const MAX_DAYS = 3_660;

/** The number of days with counts by language and form in an overview: 53 weeks. */
export const DAYS_WITH_ANSWERS = 371;

/** The number of weeks with counts of the steps after a sign-up in an overview. */
const WEEKS = 13;

const later = (a: string, b: string) => a > b ? a : b;

/** The UTC days for which an overview needs counters. */
export interface GrowthRange {
  /** The last UTC day of the range, which is the present day. */
  today: string;
  /** The first UTC day of the range. */
  since: string;
  /** The first UTC day with counts by language and form. */
  withAnswers: string;
  /** The Monday of the first week with counts of the steps. */
  weeks: string;
}

/**
 * Returns the days for which an overview needs counters.
 *
 * @param since the first day that the caller asks for
 */
export function growthRange(today: string, since = addDays(today, 1 - DAYS)): GrowthRange {
  const first = since < today ? since : today;
  return {
    today,
    since: later(first, addDays(today, 1 - MAX_DAYS)),
    withAnswers: later(first, addDays(today, 1 - DAYS_WITH_ANSWERS)),
    weeks: weekOf(addDays(today, 7 - 7 * WEEKS)),
  };
}

/**
 * Makes the days and weeks of an overview.
 *
 * @param counters all counters of the range; other counters change nothing
 */
export function growthOf(
  counters: { counter: Counter; count: number }[],
  { today, since, withAnswers, weeks: firstWeek }: GrowthRange,
): Pick<Overview, "days" | "weeks"> {
  const days = new Map<string, Overview["days"][number]>();
  const weeks = new Map<string, Overview["weeks"][number]>();
  // Days before the first sign-up are left out, unless they are among the days that every overview has.
  const [firstSignUp = ""] = counters
    .flatMap(({ counter: [kind, day = ""], count }) => kind === "added" && count > 0 ? [day] : [])
    .concat(addDays(today, 1 - DAYS)).toSorted();
  for (let day = later(since, firstSignUp); day <= today; day = addDays(day, 1)) {
    days.set(day, { day, added: 0, ...day >= withAnswers && { byLang: {}, bySource: {} } });
  }
  for (let week = firstWeek; week <= today; week = addDays(week, 7)) {
    weeks.set(week, { week, signedUp: 0, taken: 0, confirmed: 0, invited: 0, accepted: 0 });
  }
  for (const { counter: [kind, name = ""], count } of counters) {
    const [start = "", ...parts] = name.split("/");
    const day = days.get(start);
    if (kind === "added") {
      if (day) day.added += count;
      const week = weeks.get(weekOf(start));
      if (week) week.signedUp += count;
    } else if (kind === "withAnswers" && count > 0) {
      const [lang = "", source] = parts;
      if (day?.byLang) day.byLang[lang] = (day.byLang[lang] ?? 0) + count;
      if (day?.bySource && source) day.bySource[source] = (day.bySource[source] ?? 0) + count;
    } else if (kind === "wentOn") {
      const week = weeks.get(start);
      const steps = parts[0]?.split(",") ?? [];
      for (const step of STEPS) if (week && steps.includes(step)) week[step] += count;
    }
  }
  return { days: [...days.values()], weeks: [...weeks.values()] };
}
