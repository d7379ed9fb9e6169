/**
 * The days and weeks of an overview: for which days counters are needed, and how the counters become the numbers of each
 * day and of each week. `shared/growth.ts` has the rows that the console and the CLI show. @module
 */
import { type Counter, STEPS } from "../../shared/counters.ts";
import { addDays, weekOf } from "../../shared/moments.ts";
import type { Overview } from "../../shared/operator_schemas.ts";

/** The number of days in an overview by default, with the present day. */
const DAYS = 90;

/** The greatest number of days in an overview: ten years. */
const MAX_DAYS = 3_660;

/** The number of days with counts by language and form in an overview: 53 weeks. */
export const DAYS_WITH_ANSWERS = 371;

/** The number of weeks with counts of the steps after a sign-up in an overview. */
const WEEKS = 13;

/** The UTC days for which an overview needs counters. */
export interface GrowthRange {
  /** The last UTC day of the range, which is the present day. */
  today: string;
  /** The first UTC day of the range. */
  firstDay: string;
  /** The first UTC day with counts by language and form. */
  firstDayWithAnswers: string;
  /** The Monday of the first week with counts of the steps after a sign-up. */
  firstWeek: string;
}

/**
 * Gives the days for which an overview needs counters.
 *
 * @param since the first day that the caller asks for
 */
export function growthRange(today: string, since = addDays(today, 1 - DAYS)): GrowthRange {
  const first = since < today ? since : today;
  return {
    today,
    firstDay: later(first, addDays(today, 1 - MAX_DAYS)),
    firstDayWithAnswers: later(first, addDays(today, 1 - DAYS_WITH_ANSWERS)),
    firstWeek: weekOf(addDays(today, 7 - 7 * WEEKS)),
  };
}

/**
 * Makes the days and weeks of an overview.
 *
 * @param counters all counters of the range; other counters change nothing
 */
export function growthOf(
  counters: { counter: Counter; count: number }[],
  range: GrowthRange,
): Pick<Overview, "days" | "weeks"> {
  const days = emptyDays(firstDayShown(counters, range), range);
  const weeks = emptyWeeks(range);
  for (const { counter: [kind, name = ""], count } of counters) {
    if (kind === "added") {
      const day = days.get(name);
      if (day) day.added += count;
      const week = weeks.get(weekOf(name));
      if (week) week.signedUp += count;
    } else if (kind === "withAnswers" && count > 0) {
      const [dayName = "", lang = "", source] = name.split("/");
      const day = days.get(dayName);
      if (day?.byLang) day.byLang[lang] = (day.byLang[lang] ?? 0) + count;
      if (day?.bySource && source) day.bySource[source] = (day.bySource[source] ?? 0) + count;
    } else if (kind === "wentOn") {
      const [monday = "", steps = ""] = name.split("/");
      const week = weeks.get(monday);
      const reached = steps.split(",");
      for (const step of STEPS) if (week && reached.includes(step)) week[step] += count;
    }
  }
  return { days: [...days.values()], weeks: [...weeks.values()] };
}

/**
 * Gives the first day of the overview. Days before the first sign-up are left out, unless they are among the days that
 * every overview has.
 */
function firstDayShown(
  counters: { counter: Counter; count: number }[],
  { today, firstDay }: GrowthRange,
): string {
  const daysWithSignUps = counters.flatMap(({ counter: [kind, day = ""], count }) =>
    kind === "added" && count > 0 ? [day] : []
  );
  const [firstSignUp = ""] = [...daysWithSignUps, addDays(today, 1 - DAYS)].toSorted();
  return later(firstDay, firstSignUp);
}

/** Makes the days of an overview with counts of 0, by their names such as `2026-11-21`. */
function emptyDays(
  first: string,
  { today, firstDayWithAnswers }: GrowthRange,
): Map<string, Overview["days"][number]> {
  const days = new Map<string, Overview["days"][number]>();
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const answers = day >= firstDayWithAnswers ? { byLang: {}, bySource: {} } : {};
    days.set(day, { day, added: 0, ...answers });
  }
  return days;
}

/** Makes the weeks of an overview with counts of 0, by their Mondays. */
function emptyWeeks({ today, firstWeek }: GrowthRange): Map<string, Overview["weeks"][number]> {
  const weeks = new Map<string, Overview["weeks"][number]>();
  for (let week = firstWeek; week <= today; week = addDays(week, 7)) {
    weeks.set(week, { week, signedUp: 0, taken: 0, confirmed: 0, invited: 0, accepted: 0 });
  }
  return weeks;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
