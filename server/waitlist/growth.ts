/**
 * The growth of the waitlist in the overview, by days and weeks: for which days counters are needed, and how counters
 * add up to the numbers of a day or a week. `shared/growth.ts` makes the rows that the console and the CLI show.
 * @module
 */
import { STEPS } from "../../shared/counters.ts";
import { addDays, weekOf } from "../../shared/moments.ts";
import type { Overview } from "../../shared/operator_schemas.ts";
import type { CounterValue } from "./counters.ts";

/** The number of days in an overview by default. The present day is one of them. */
const DEFAULT_DAYS = 90;

/** The greatest number of days in an overview: about ten years. */
const MAX_DAYS = 3_660;

/** The greatest number of days for which an overview has counts by language and by sign-up form: 53 weeks. */
export const MAX_DETAILED_DAYS = 53 * 7;

/**
 * The number of weeks in an overview. For the people who signed up in a week, the overview counts the later steps, such
 * as the confirmation.
 */
const WEEKS = 13;

/** The UTC days for which an overview needs counters. */
export interface GrowthRange {
  /** The last UTC day of the range, which is the present day. */
  today: string;
  /** The first UTC day of the range. */
  firstDay: string;
  /** The first UTC day for which there are counts by language and by sign-up form. */
  firstDetailedDay: string;
  /** The first week for which later steps are counted, as the Monday of this week. */
  firstWeek: string;
}

/**
 * Gives the days for which an overview needs counters.
 *
 * @param today the present UTC day, as `YYYY-MM-DD`
 * @param since the first day that the caller asks for, as `YYYY-MM-DD`
 */
export function growthRange(today: string, since = addDays(today, 1 - DEFAULT_DAYS)): GrowthRange {
  const first = since < today ? since : today;
  return {
    today,
    firstDay: laterDay(first, addDays(today, 1 - MAX_DAYS)),
    firstDetailedDay: laterDay(first, addDays(today, 1 - MAX_DETAILED_DAYS)),
    firstWeek: weekOf(addDays(today, 7 - 7 * WEEKS)),
  };
}

/**
 * Makes the days and weeks of an overview.
 *
 * @param counters the counters of the range; counters of other kinds or days are ignored
 */
export function growthOf(
  counters: CounterValue[],
  range: GrowthRange,
): Pick<Overview, "days" | "weeks"> {
  const days = emptyDays(firstDayShown(counters, range), range);
  const weeks = emptyWeeks(range);
  for (const { counter: [kind, name = ""], count } of counters) {
    if (kind === "added") {
      // The name of the counter is a day, such as `2026-11-21`.
      const day = days.get(name);
      if (day) day.added += count;
      const week = weeks.get(weekOf(name));
      if (week) week.signedUp += count;
    } else if (kind === "withAnswers" && count > 0) {
      // The name is a day, a language and a form, such as `2026-11-21/de/hero`, or `2026-11-21/en/` without a form.
      const [dayName = "", lang = "", source] = name.split("/");
      const day = days.get(dayName);
      if (day?.byLang) day.byLang[lang] = (day.byLang[lang] ?? 0) + count;
      if (day?.bySource && source) day.bySource[source] = (day.bySource[source] ?? 0) + count;
    } else if (kind === "wentOn") {
      // The name is the Monday of a week and the steps of the people, such as `2026-11-16/taken,confirmed`.
      const [monday = "", joinedSteps = ""] = name.split("/");
      const week = weeks.get(monday);
      if (!week) continue;
      const steps = joinedSteps.split(",");
      for (const step of STEPS) if (steps.includes(step)) week[step] += count;
    }
  }
  return { days: [...days.values()], weeks: [...weeks.values()] };
}

/**
 * Gives the first day that the overview shows. Days before the first sign-up are not shown, unless they are among the
 * last {@linkcode DEFAULT_DAYS} days.
 */
function firstDayShown(
  counters: CounterValue[],
  { today, firstDay }: GrowthRange,
): string {
  let first = addDays(today, 1 - DEFAULT_DAYS);
  for (const { counter: [kind, day = ""], count } of counters) {
    if (kind === "added" && count > 0 && day < first) first = day;
  }
  return laterDay(firstDay, first);
}

/** Makes the days of an overview with all counts 0. The key is the day, such as `2026-11-21`. */
function emptyDays(
  first: string,
  { today, firstDetailedDay }: GrowthRange,
): Map<string, Overview["days"][number]> {
  const days = new Map<string, Overview["days"][number]>();
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const answers = day >= firstDetailedDay ? { byLang: {}, bySource: {} } : {};
    days.set(day, { day, added: 0, ...answers });
  }
  return days;
}

/** Makes the weeks of an overview with all counts 0. The key is the Monday of the week. */
function emptyWeeks({ today, firstWeek }: GrowthRange): Map<string, Overview["weeks"][number]> {
  const weeks = new Map<string, Overview["weeks"][number]>();
  for (let week = firstWeek; week <= today; week = addDays(week, 7)) {
    weeks.set(week, { week, signedUp: 0, taken: 0, confirmed: 0, invited: 0, accepted: 0 });
  }
  return weeks;
}

/** Gives the later of two days. */
function laterDay(one: string, other: string): string {
  return one > other ? one : other;
}
