/**
 * The range of the overview's chart: reads it from the query, and links to the other ranges. `chart.ts` draws the
 * chart.
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

/** The lengths of time that a bar can stand for. */
const PERIODS = ["day", "week"] as const;

/** The first UTC day of the range `all`. No range has an earlier first day. */
const BEGINNING = "1970-01-01";

/** The range of a chart. */
export interface ChartRange {
  /** The range that the operator has chosen; `days` is a range from one day to another. */
  range: typeof RANGES[number] | "days";
  /** The length of time that each bar stands for. */
  period: typeof PERIODS[number];
  /** The first UTC day of the chart: `first`, or the Monday of its week in a chart by week. */
  since: string;
  /** The first UTC day of the chosen range. A chart by week begins on the Monday on or before this day. */
  first: string;
  /** The last UTC day of the range, which the chart includes. */
  until: string;
}

/**
 * Reads the range from a query. A range of a year or more is shown by week, unless the query says `by=day`. The days
 * `since` and `until` choose any range; `until` is the present day by default. Both are ignored if one of them is not a
 * day, or if the range would be empty, or begin in the future or before 1970.
 */
export function readRange(query: URLSearchParams, now: number): ChartRange {
  const today = utcDay(now);
  const first = query.get("since") ?? "";
  const last = query.get("until") || today;
  if (isDay(first) && isDay(last) && first <= last && first >= BEGINNING && first <= today) {
    const until = last < today ? last : today;
    const usualPeriod = daysBetween(first, until) >= 365 ? "week" : "day";
    const period = knownValue(PERIODS, query.get("by")) ?? usualPeriod;
    const since = period === "week" ? weekOf(first) : first;
    return { range: "days", period, since, first, until };
  }
  const range = knownValue(RANGES, query.get("range")) ?? "90";
  const usualPeriod = range === "365" || range === "all" ? "week" : "day";
  const period = knownValue(PERIODS, query.get("by")) ?? usualPeriod;
  const firstDay = range === "all" ? BEGINNING : utcDay(now, Number(range) - 1);
  const since = period === "week" ? weekOf(firstDay) : firstDay;
  return { range, period, since, first: firstDay, until: today };
}

/** Returns the first UTC day that the overview needs for a range, and for the range of the same length before it. */
export function firstDayNeeded({ range, since, first, until }: ChartRange): string {
  const firstBefore = addDays(first, -daysBetween(first, until));
  if (range === "all" || firstBefore < BEGINNING) return BEGINNING;
  return firstBefore < since ? firstBefore : since;
}

/**
 * Whether a chart by day would have days for which the overview has no numbers by language and form. The overview has
 * these numbers only for the latest days.
 */
const isTooLongForDays = ({ range, first }: ChartRange, { days }: Overview): boolean =>
  range === "all"
    ? days.length > MAX_DETAILED_DAYS
    : daysBetween(first, days.at(-1)?.day ?? first) > MAX_DETAILED_DAYS;

/**
 * Returns the range as the chart can show it. The chart is by week if {@linkcode isTooLongForDays} is true for the
 * range.
 */
export function fitRange(range: ChartRange, overview: Overview): ChartRange {
  return isTooLongForDays(range, overview) ? { ...range, period: "week" } : range;
}

/**
 * The links to the ranges with a name, the links to the chart by day and by week, and the form that asks for the days
 * of another range.
 */
export function rangeLinks(shown: ChartRange, overview: Overview, texts: ConsoleTexts): Html {
  const { range, period, first, until } = shown;
  const labels = texts.overview.days;
  const current = markup` aria-current="page"`;
  const link = (name: string, fields: FieldValues, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, fields)}"${isCurrent && current}>${name}</a>`;
  const rangeTabs = RANGES.map((choice) =>
    link(nameIn(labels.ranges, choice), { range: choice }, choice === range)
  );
  const choices = isTooLongForDays(shown, overview) ? [] : PERIODS;
  const chosen = range === "days" ? { since: first, until } : { range };
  const periodTabs = choices.map((choice) =>
    link(labels.by[choice], { ...chosen, by: choice }, choice === period)
  );
  const dayField = (name: "since" | "until", value: string) =>
    field(name, {
      label: texts.activity[name],
      attributes: markup` type="date" required value="${value}"`,
    });
  const isOpen = range === "days" && markup` open`;
  // The field shows no day before the first day of the overview.
  const firstOfOverview = overview.days[0]?.day ?? first;
  const firstShown = first < firstOfOverview ? firstOfOverview : first;
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${rangeTabs}</p>
<p class="tabs">${periodTabs}</p>
</nav>
<details${isOpen}><summary>${labels.otherRange}</summary>
<form method="get" action="${PATHS.overview}" class="filters">
${dayField("since", firstShown)}
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
  { range, first, until }: ChartRange,
  overview: Overview,
  texts: ConsoleTexts,
): Html | undefined {
  const today = overview.generatedAt.slice(0, 10);
  const last = until === today ? addDays(today, -1) : until;
  if (range === "all" || last < first) return undefined;
  const { added, before, change } = compareDays(overview, first, last);
  const { compared } = texts.overview.days;
  const days = daysBetween(first, last);
  return markup`<p>${compared({ added, days, before, change: showChange(change, texts) })}</p>`;
}

/** Writes a change with its sign, such as `+20.0%`. @param change a share; absent if there is nothing to compare */
export function showChange(change: number | undefined, { percent }: ConsoleTexts): string {
  if (change === undefined) return "–";
  return `${change > 0 ? "+" : ""}${percent(change)}`;
}
