/**
 * The range of the overview's chart: reads it from the query, and links to the other ranges. `chart.ts` draws the chart.
 *
 * @module
 */
import { DAYS_WITH_ANSWERS } from "../../../shared/growth.ts";
import { weekOf } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { nameIn } from "../components.ts";
import { knownValue, pathWith } from "../forms.ts";
import { PATHS } from "../page_context.ts";

/** The ranges to choose from: a number of days, or since the beginning. */
const RANGES = ["7", "30", "90", "365", "all"] as const;

/** The lengths of time that a bar can stand for. */
const PERIODS = ["day", "week"] as const;

/** The range of a chart. */
export interface ChartRange {
  range: typeof RANGES[number];
  /** The length of time that each bar stands for. */
  by: typeof PERIODS[number];
  /** The first UTC day of the chart. */
  since: string;
}

/** Reads the range of a query. A range of a year or more is shown by week, unless the query says `by=day`. */
export function readRange(query: URLSearchParams, now: number): ChartRange {
  const range = knownValue(RANGES, query.get("range")) ?? "90";
  const usual = range === "365" || range === "all" ? "week" : "day";
  const by = knownValue(PERIODS, query.get("by")) ?? usual;
  const first = range === "all" ? "1970-01-01" : utcDay(now, Number(range) - 1);
  return { range, by, since: by === "week" ? weekOf(first) : first };
}

/** Whether a chart by day would have days without counts of answers, because the overview has none for early days. */
const isTooLongForDays = ({ range }: ChartRange, { days }: Overview): boolean =>
  range === "all" && days.length > DAYS_WITH_ANSWERS;

/** Returns the range as the chart can show it: a range that is too long for days is shown by week. */
export function fitRange(range: ChartRange, overview: Overview): ChartRange {
  return isTooLongForDays(range, overview) ? { ...range, by: "week" } : range;
}

/** Links to the other ranges, and between days and weeks. */
export function rangeLinks(shown: ChartRange, overview: Overview, texts: ConsoleTexts): Html {
  const { range, by } = shown;
  const labels = texts.overview.days;
  const current = markup` aria-current="page"`;
  const link = (name: string, fields: { range: string; by?: string }, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, fields)}"${isCurrent && current}>${name}</a>`;
  const rangeTabs = RANGES.map((each) =>
    link(nameIn(labels.ranges, each), { range: each }, each === range)
  );
  const periods = isTooLongForDays(shown, overview) ? [] : PERIODS;
  const periodTabs = periods.map((each) => link(labels.by[each], { range, by: each }, each === by));
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${rangeTabs}</p>
<p class="tabs">${periodTabs}</p>
</nav>`;
}
