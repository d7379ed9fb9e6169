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
  // A day in the future counts as today, so that the overview has at least one day.
  const firstDay = since < today ? since : today;
  return {
    today,
    firstDay: laterDay(firstDay, addDays(today, 1 - MAX_DAYS)),
    firstDetailedDay: laterDay(firstDay, addDays(today, 1 - MAX_DETAILED_DAYS)),
    firstWeek: weekOf(addDays(today, 7 - 7 * WEEKS)),
  };
}

/** The days and the weeks of an overview while counters are added to them. */
interface Growth {
  /** The days by their names, such as `2026-11-21`, in the order of time. */
  days: Map<string, Overview["days"][number]>;
  /** The weeks by their Mondays, in the order of time. */
  weeks: Map<string, Overview["weeks"][number]>;
}

/**
 * Makes the days and weeks of an overview.
 *
 * @param counters the counters of the range; counters of other kinds, and of days outside of the range, are ignored
 */
export function growthOf(
  counters: CounterValue[],
  range: GrowthRange,
): Pick<Overview, "days" | "weeks"> {
  const firstDay = findFirstShownDay(counters, range);
  const growth: Growth = { days: emptyDays(firstDay, range), weeks: emptyWeeks(range) };
  for (const { counter: [kind, name = ""], count } of counters) {
    if (kind === "added") addSignUps(growth, name, count);
    else if (kind === "withAnswers" && count > 0) addAnswers(growth, name, count);
    else if (kind === "wentOn") addSteps(growth, name, count);
  }
  return { days: [...growth.days.values()], weeks: [...growth.weeks.values()] };
}

/** Adds the people who signed up on a day to this day and to its week. */
function addSignUps({ days, weeks }: Growth, dayName: string, count: number): void {
  const day = days.get(dayName);
  if (day) day.added += count;
  const week = weeks.get(weekOf(dayName));
  if (week) week.signedUp += count;
}

/**
 * Adds people to their day by language and sign-up form, unless the day has no such counts.
 * @param dayAndAnswers the day, the language and the form, such as `2026-11-21/de/hero`, or `2026-11-21/en/` without a
 * form
 */
function addAnswers({ days }: Growth, dayAndAnswers: string, count: number): void {
  const [dayName = "", lang = "", source] = dayAndAnswers.split("/");
  const { byLang, bySource } = days.get(dayName) ?? {};
  if (byLang) byLang[lang] = (byLang[lang] ?? 0) + count;
  if (bySource && source) bySource[source] = (bySource[source] ?? 0) + count;
}

/**
 * Adds the people who signed up in a week to the counts of their later steps.
 * @param weekAndSteps the Monday of the week, and the steps of the people, such as `2026-11-16/taken,confirmed`
 */
function addSteps({ weeks }: Growth, weekAndSteps: string, count: number): void {
  const [monday = "", joinedSteps = ""] = weekAndSteps.split("/");
  const week = weeks.get(monday);
  if (!week) return;
  const steps = joinedSteps.split(",");
  for (const step of STEPS) if (steps.includes(step)) week[step] += count;
}

/**
 * Gives the first day that the overview shows. Days before the first sign-up are not shown, unless they are among the
 * last {@linkcode DEFAULT_DAYS} days.
 */
function findFirstShownDay(
  counters: CounterValue[],
  { today, firstDay }: GrowthRange,
): string {
  let firstShown = addDays(today, 1 - DEFAULT_DAYS);
  for (const { counter: [kind, day = ""], count } of counters) {
    if (kind === "added" && count > 0 && day < firstShown) firstShown = day;
  }
  return laterDay(firstDay, firstShown);
}

/** Makes the days of an overview, from `firstDay` to the present day, with all counts 0. */
function emptyDays(
  firstDay: string,
  { today, firstDetailedDay }: Pick<GrowthRange, "today" | "firstDetailedDay">,
): Growth["days"] {
  const days: Growth["days"] = new Map();
  for (let day = firstDay; day <= today; day = addDays(day, 1)) {
    const answers = day >= firstDetailedDay ? { byLang: {}, bySource: {} } : {};
    days.set(day, { day, added: 0, ...answers });
  }
  return days;
}

/** Makes the weeks of an overview with all counts 0. */
function emptyWeeks({ today, firstWeek }: GrowthRange): Growth["weeks"] {
  const weeks: Growth["weeks"] = new Map();
  for (let week = firstWeek; week <= today; week = addDays(week, 7)) {
    weeks.set(week, { week, signedUp: 0, taken: 0, confirmed: 0, invited: 0, accepted: 0 });
  }
  return weeks;
}

/** Gives the later of two days. */
function laterDay(one: string, other: string): string {
  return one > other ? one : other;
}
