/**
 * The figures at the top of the overview: the number of people, and the sign-ups of the last days and weeks.
 * @module
 */
import { compareFullDays } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts } from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { countLink, type Fact } from "../components.ts";
import { showChange } from "./range.ts";

/**
 * Returns the first UTC day for which the figures need the numbers of sign-ups. The figures compare the last 7 full
 * days with the 7 days before them. The figure about last week needs no earlier day, because last week began at most 13
 * days ago.
 */
export const firstDayOfFigures = (now: number): string => utcDay(now, 14);

/** Returns the figures. Days are UTC days, and weeks begin on Monday. */
export function overviewFigures(overview: Overview, texts: ConsoleTexts, now: number): Fact[] {
  const { figures: labels } = texts.overview;
  // Every overview has several weeks, even if the list is empty.
  const lastWeek = overview.weeks.at(-2)!;
  const thisWeek = overview.weeks.at(-1)!;
  const today = utcDay(now);
  const yesterday = utcDay(now, 1);
  const weekAgo = utcDay(now, 7);
  // The last day of every overview is today.
  const addedToday = overview.days.at(-1)?.added ?? 0;
  // `week` is the Monday of a week, so the day before it is the last day of last week.
  const lastSunday = utcDay(Date.parse(thisWeek.week), 1);
  // How many people signed up last week, up to the same weekday as today.
  const lastWeekSoFar = overview.days
    .filter(({ day }) => day >= lastWeek.week && day <= weekAgo)
    .reduce((sum, { added }) => sum + added, 0);
  const signUpLink = (count: number, since: string, until = today) =>
    countLink(count, { since, until }, texts);
  const { added, before, change } = compareFullDays(overview, today);
  const changeText = showChange(change, texts);
  return [
    [labels.total, countLink(overview.total, {}, texts)],
    [labels.today, signUpLink(addedToday, today)],
    [labels.thisWeek, signUpLink(thisWeek.signedUp, thisWeek.week)],
    [
      labels.lastWeek({ soFar: lastWeekSoFar }),
      signUpLink(lastWeek.signedUp, lastWeek.week, lastSunday),
    ],
    // These two periods include today.
    [labels.last7Days, signUpLink(overview.last7Days, utcDay(now, 6))],
    [labels.last30Days, signUpLink(overview.last30Days, utcDay(now, 29))],
    [
      labels.fullDays({ before, change: changeText }),
      signUpLink(added, weekAgo, yesterday),
    ],
  ];
}
