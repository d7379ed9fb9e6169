/**
 * The figures at the top of the overview, which tell how many people there are at present, and the table of the sign-ups
 * of the last days and weeks.
 * @module
 */
import { compareDays, type Comparison } from "../../../shared/growth.ts";
import { addDays } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { type Cell, countLink, type Fact, table } from "../components.ts";
import { showChange } from "./range.ts";

/** The largest number of full days that the table compares with as many days before them. */
const MAX_COMPARED_DAYS = 30;

/** Returns the first UTC day for which the table needs the numbers of sign-ups. */
export const firstDayOfFigures = (now: number): string => utcDay(now, 2 * MAX_COMPARED_DAYS);

/** Returns the figures: how many people are on the list, how many wait, and how many signed up since yesterday. */
export function overviewFigures(overview: Overview, texts: ConsoleTexts, now: number): Fact[] {
  const { total, states } = overview;
  const { figures: labels } = texts.overview;
  const since = utcDay(now, 1);
  const signUps = countSignUps(overview, { since, until: utcDay(now) });
  return [
    [labels.total, countLink(total, {}, texts)],
    [labels.waiting, countLink(states.waiting, { state: "waiting" }, texts)],
    [labels.sinceYesterday, countLink(signUps, { since }, texts)],
  ];
}

/** Counts the sign-ups of a period. */
function countSignUps({ days }: Overview, { since, until }: Omit<Period, "name">): number {
  return days.filter(({ day }) => day >= since && day <= until)
    .reduce((sum, { added }) => sum + added, 0);
}

/** A period of UTC days with its name. */
interface Period {
  name: string;
  since: string;
  until: string;
}

/**
 * The table of sign-ups by period. Each row compares a period with the period before it. The change is shown only for
 * periods of full days, because the present day is not over. Days are UTC days, and weeks begin on Monday.
 */
export function periodsTable(overview: Overview, texts: ConsoleTexts, now: number): Html {
  const { periods: labels } = texts.overview;
  const today = utcDay(now);
  const yesterday = utcDay(now, 1);
  // Every overview has several weeks, even if the list is empty.
  const [lastMonday, thisMonday] = overview.weeks.slice(-2).map(({ week }) => week) as [
    string,
    string,
  ];
  const addedIn = (period: Period) => countSignUps(overview, period);
  const rowOf = (period: Period, before: Period, change: string): Cell[] => [
    { rowHeading: period.name },
    { number: countLink(addedIn(period), { since: period.since, until: period.until }, texts) },
    before.name,
    { number: countLink(addedIn(before), { since: before.since, until: before.until }, texts) },
    { number: change },
  ];
  const rowOfFullDays = (days: number): Cell[] => {
    const since = utcDay(now, days);
    const { change }: Comparison = compareDays(overview, since, yesterday);
    return rowOf(
      { name: labels.fullDays({ days }), since, until: yesterday },
      {
        name: labels.daysBefore({ days }),
        since: addDays(since, -days),
        until: addDays(since, -1),
      },
      showChange(change, texts),
    );
  };
  return table({
    caption: labels.caption,
    head: [
      labels.period,
      { number: labels.signUps },
      labels.before,
      { number: labels.signUpsBefore },
      { number: labels.change },
    ],
    rows: [
      rowOf(
        { name: labels.today, since: today, until: today },
        { name: labels.yesterday, since: yesterday, until: yesterday },
        showChange(undefined, texts),
      ),
      rowOf(
        { name: labels.thisWeek, since: thisMonday, until: today },
        { name: labels.lastWeek, since: lastMonday, until: addDays(today, -7) },
        showChange(undefined, texts),
      ),
      rowOfFullDays(7),
      rowOfFullDays(MAX_COMPARED_DAYS),
    ],
  });
}
