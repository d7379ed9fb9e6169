/**
 * The range of days that the overview's chart shows: reads the range from the query, links to other ranges, and
 * compares the sign-ups of the range with earlier sign-ups. `chart.ts` draws the chart.
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
const BEGINNING = "1970-01-01";

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
  /** The first day of the chart: `since`, or the Monday of its week if `readRange()` has chosen a chart by week. */
  chartSince: string;
}

/**
 * Reads the range from a query. A range of a year or more is shown by week, unless the query says `by=day`. The days
 * `since` and `until` choose any range; `until` is the present day by default. Both are ignored if one of them is not a
 * day, or if the range would be empty, or begin in the future or before 1970.
 */
export function readRange(query: URLSearchParams, now: number): ChartRange {
  const today = utcDay(now);
  const askedPeriod = knownValue(PERIODS, query.get("by"));
  const since = query.get("since") ?? "";
  const last = query.get("until") || today;
  if (isDay(since) && isDay(last) && since <= last && since >= BEGINNING && since <= today) {
    const until = last < today ? last : today;
    const period = askedPeriod ?? usualPeriod(since, until);
    return withChartSince({ name: "days", period, since, until });
  }
  const name = knownValue(RANGES, query.get("range")) ?? DEFAULT_RANGE;
  const firstDay = name === "all" ? BEGINNING : utcDay(now, Number(name) - 1);
  const period = askedPeriod ?? usualPeriod(firstDay, today);
  return withChartSince({ name, period, since: firstDay, until: today });
}

const usualPeriod = (since: string, until: string): ChartRange["period"] =>
  daysBetween(since, until) >= DAYS_FOR_WEEKS ? "week" : "day";

function withChartSince(range: Omit<ChartRange, "chartSince">): ChartRange {
  const { period, since } = range;
  return { ...range, chartSince: period === "week" ? weekOf(since) : since };
}

/**
 * Returns the first UTC day whose numbers the page needs to show a range, and to compare the range with the same number
 * of days before.
 */
export function firstDayNeeded({ name, since, until, chartSince }: ChartRange): string {
  const sinceBefore = addDays(since, -daysBetween(since, until));
  if (name === "all" || sinceBefore < BEGINNING) return BEGINNING;
  return sinceBefore < chartSince ? sinceBefore : chartSince;
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
export function rangeLinks(shown: ChartRange, overview: Overview, texts: ConsoleTexts): Html {
  const { name, period, since, until } = shown;
  const labels = texts.overview.days;
  const current = markup` aria-current="page"`;
  const link = (label: string, fields: FieldValues, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, fields)}"${isCurrent && current}>${label}</a>`;
  const rangeTabs = RANGES.map((range) =>
    link(nameIn(labels.ranges, range), { range }, range === name)
  );
  const periods = isTooLongForDays(shown, overview) ? [] : PERIODS;
  const rangeFields = name === "days" ? { since, until } : { range: name };
  const periodTabs = periods.map((by) =>
    link(labels.by[by], { ...rangeFields, by }, by === period)
  );
  const dayField = (fieldName: "since" | "until", day: string) =>
    field(fieldName, {
      label: texts.activity[fieldName],
      attributes: markup` type="date" required value="${day}"`,
    });
  const open = name === "days" && markup` open`;
  // The field shows no day before the first day of the overview.
  const firstOfOverview = overview.days[0]?.day ?? since;
  const shownSince = since < firstOfOverview ? firstOfOverview : since;
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${rangeTabs}</p>
<p class="tabs">${periodTabs}</p>
</nav>
<details${open}><summary>${labels.otherRange}</summary>
<form method="get" action="${PATHS.overview}" class="filters">
${dayField("since", shownSince)}
${dayField("until", until)}
${button(texts.words.show)}
</form></details>`;
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
  const last = until === today ? addDays(today, -1) : until;
  if (name === "all" || last < since) return undefined;
  const { added, before, change } = compareDays(overview, since, last);
  const { compared } = texts.overview.days;
  const days = daysBetween(since, last);
  return markup`<p>${compared({ added, days, before, change: showChange(change, texts) })}</p>`;
}

/** Writes a change with its sign, such as `+20.0%`. Writes a dash if there is nothing to compare (`undefined`). */
export function showChange(change: number | undefined, { percent }: ConsoleTexts): string {
  if (change === undefined) return "–";
  return `${change > 0 ? "+" : ""}${percent(change)}`;
}
