/**
 * The range of days that the overview's chart shows: reads the range from the query, lets the operator choose another
 * range, and compares the sign-ups of the range with earlier sign-ups. `chart.ts` draws the chart.
 * @module
 */
import { addDays, isDay, weekOf } from "../../../shared/moments.ts";
import { compareDays, daysBetween } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { MAX_DETAILED_DAYS, utcDay } from "../../waitlist/mod.ts";
import { nameIn } from "../components.ts";
import { button, field, type FieldValues, knownValue, pathWith } from "../forms.ts";
import { PATHS } from "../page_context.ts";

/** The ranges to choose from: a number of days, or since the beginning. */
const RANGES = ["7", "30", "90", "365", "all"] as const;

const DEFAULT_RANGE = "90";

/** The lengths of time that a bar can stand for. */
const PERIODS = ["day", "week"] as const;

/** The smallest number of days for which the chart is by week, unless the operator has chosen a chart by day. */
const DAYS_FOR_WEEKS = 365;

/** The first UTC day of the range `all`. No range has an earlier first day. */
export const BEGINNING = "1970-01-01";

/** The range of a chart. The days are UTC days, such as `2026-11-21`. */
export interface ChartRange {
  /** The name of the range that the operator has chosen; `days` is a range from one day to another. */
  name: typeof RANGES[number] | "days";
  /** The length of time that each bar stands for. */
  period: typeof PERIODS[number];
  /** The first day of the range. */
  since: string;
  /** The last day of the range, which the chart includes. */
  until: string;
  /**
   * The first day of the chart: `since`, or the Monday of the week of `since` if {@linkcode readRange} has chosen a
   * chart by week.
   */
  chartSince: string;
}

/**
 * Reads the range from a query. A range of a year or more is shown by week, unless the query says `by=day`. The days
 * `since` and `until` choose any range; `until` is the present day by default. Both are ignored if one of them is not a
 * day, or if the range would be empty, or begin in the future or before 1970.
 */
export function readRange(query: URLSearchParams, now: number): ChartRange {
  const today = utcDay(now);
  const days = daysIn(query, today) ?? namedRange(query, now);
  const period = knownValue(PERIODS, query.get("by")) ?? usualPeriod(days.since, days.until);
  return { ...days, period, chartSince: period === "week" ? weekOf(days.since) : days.since };
}

/** A range without the period and the first day of the chart. */
type RangeOfDays = Pick<ChartRange, "name" | "since" | "until">;

/** Returns the range from the day `since` to the day `until` of a query; `undefined` if the query has no such range. */
function daysIn(query: URLSearchParams, today: string): RangeOfDays | undefined {
  const since = query.get("since") ?? "";
  const until = query.get("until") || today;
  if (!isDay(since) || !isDay(until)) return undefined;
  if (since > until || since < BEGINNING || since > today) return undefined;
  return { name: "days", since, until: until < today ? until : today };
}

/** Returns the range that a query names, or the default range. */
function namedRange(query: URLSearchParams, now: number): RangeOfDays {
  const name = knownValue(RANGES, query.get("range")) ?? DEFAULT_RANGE;
  const since = name === "all" ? BEGINNING : utcDay(now, Number(name) - 1);
  return { name, since, until: utcDay(now) };
}

const usualPeriod = (since: string, until: string): ChartRange["period"] =>
  daysBetween(since, until) >= DAYS_FOR_WEEKS ? "week" : "day";

/** Returns the first of the earlier UTC days with which the page compares a range. */
export function firstComparedDay({ name, since, until }: ChartRange): string {
  const firstDay = addDays(since, -daysBetween(since, until));
  return name === "all" || firstDay < BEGINNING ? BEGINNING : firstDay;
}

/**
 * Whether a chart by day would have days for which the overview has no numbers by language and form. The overview has
 * these numbers only for the latest days.
 */
function isTooLongForDays({ name, since }: ChartRange, { days }: Overview): boolean {
  const lastDay = days.at(-1)?.day ?? since;
  const length = name === "all" ? days.length : daysBetween(since, lastDay);
  return length > MAX_DETAILED_DAYS;
}

/** Returns the range as the chart can show it: by week if it is too long for a chart by day. */
export function fitRange(range: ChartRange, overview: Overview): ChartRange {
  return isTooLongForDays(range, overview) ? { ...range, period: "week" } : range;
}

/**
 * The links to the ranges with a name, the links to the chart by day and by week, and the form that asks for the days
 * of another range.
 */
export function rangeMenu(range: ChartRange, overview: Overview, texts: ConsoleTexts): Html {
  const { name, period, since, until } = range;
  const labels = texts.overview.days;
  const ariaCurrent = markup` aria-current="page"`;
  const tab = (label: string, query: FieldValues, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, query)}"${isCurrent && ariaCurrent}>${label}</a>`;
  const rangeTabs = RANGES.map((rangeName) =>
    tab(nameIn(labels.ranges, rangeName), { range: rangeName }, rangeName === name)
  );
  const periods = isTooLongForDays(range, overview) ? [] : PERIODS;
  const queryOfRange = name === "days" ? { since, until } : { range: name };
  const periodTabs = periods.map((by) =>
    tab(labels.by[by], { ...queryOfRange, by }, by === period)
  );
  const dayField = (end: "since" | "until", day: string) =>
    field(end, {
      label: texts.activity[end],
      attributes: markup` type="date" required value="${day}"`,
    });
  const open = name === "days" && markup` open`;
  // The field shows no day before the first day of the overview.
  const firstOverviewDay = overview.days[0]?.day ?? since;
  const firstDay = since < firstOverviewDay ? firstOverviewDay : since;
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${rangeTabs}</p>
<p class="tabs">${periodTabs}</p>
</nav>
<details${open}><summary>${labels.otherRange}</summary>
<form method="get" action="${PATHS.overview}" class="filters">
${dayField("since", firstDay)}
${dayField("until", until)}
${button(texts.words.show)}
</form></details>`;
}

/**
 * Says when people were imported, and that they count on earlier days, if they may be among the sign-ups of the range, or
 * of the days with which the page compares the sign-ups. `undefined` without such an import.
 */
export function importNote(
  range: ChartRange,
  { lastDone }: Pick<Overview, "lastDone">,
  { firstFiguresDay, texts }: { firstFiguresDay: string; texts: ConsoleTexts },
): Html | undefined {
  const importedAt = lastDone.import;
  const [firstDay] = [firstComparedDay(range), firstFiguresDay].toSorted();
  if (importedAt === undefined || importedAt < firstDay!) return undefined;
  return markup`<p class="hint">${
    texts.overview.days.imported({ day: texts.date(importedAt.slice(0, 10)) })
  }</p>`;
}

/**
 * Compares the sign-ups of a range with the sign-ups of as many days before the range. The present day is left out,
 * because it is not over. Returns `undefined` for the range since the beginning, and for a range that has only the
 * present day.
 */
export function comparisonOf(
  { name, since, until }: ChartRange,
  overview: Overview,
  texts: ConsoleTexts,
): Html | undefined {
  const today = overview.generatedAt.slice(0, 10);
  const lastFullDay = until === today ? addDays(today, -1) : until;
  if (name === "all" || lastFullDay < since) return undefined;
  const { added, before, change } = compareDays(overview, since, lastFullDay);
  const { compared } = texts.overview.days;
  const days = daysBetween(since, lastFullDay);
  return markup`<p>${compared({ added, days, before, change: showChange(change, texts) })}</p>`;
}

/** Writes a change with its sign, such as `+20.0%`. Writes a dash if a share would say nothing (`undefined`). */
export function showChange(change: number | undefined, { percent }: ConsoleTexts): string {
  if (change === undefined) return "–";
  return `${change > 0 ? "+" : ""}${percent(change)}`;
}
