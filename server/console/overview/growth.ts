/**
 * The sign-ups of a range by day or week, as a chart and a table, and the progress of the last weeks' sign-ups. @module
 */
import { STEPS } from "../../../shared/counters.ts";
import type { GrowthRow } from "../../../shared/growth.ts";
import { addDays, weekOf } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS, SOURCES, utcDay } from "../../waitlist/mod.ts";
import { type Cell, countLink, nameIn, table } from "../components.ts";
import { knownValue, pathWith } from "../forms.ts";
import { PATHS } from "../page_context.ts";

/** The ranges to choose from: a number of days, or since the beginning. */
const RANGES = ["7", "30", "90", "365", "all"] as const;

/** The range of a chart. */
export interface ChartRange {
  range: typeof RANGES[number];
  /** The length of time that each bar stands for. */
  by: "day" | "week";
  /** The first UTC day of the chart. */
  since: string;
}

/** Reads the range of a query. A range of a year or more is shown by week, unless the query says `by=day`. */
export function readRange(query: URLSearchParams, now: number): ChartRange {
  const range = knownValue(RANGES, query.get("range")) ?? "90";
  const usual = range === "365" || range === "all" ? "week" : "day";
  const by = knownValue(["day", "week"], query.get("by")) ?? usual;
  const first = range === "all" ? "1970-01-01" : utcDay(now, Number(range) - 1);
  return { range, by, since: by === "week" ? weekOf(first) : first };
}

/** The most days that a chart shows one by one: a year and a week. */
const MAX_DAYS = 371;

const isTooLongForDays = ({ range }: ChartRange, { days }: Overview): boolean =>
  range === "all" && days.length > MAX_DAYS;

/** Returns the range as the chart can show it: a range that is too long for days is shown by week. */
export function fitRange(range: ChartRange, overview: Overview): ChartRange {
  return isTooLongForDays(range, overview) ? { ...range, by: "week" } : range;
}

/** Links to the other ranges, and between days and weeks. */
export function rangeLinks(shown: ChartRange, overview: Overview, texts: ConsoleTexts): Html {
  const { range, by } = shown;
  const { overview: { days: labels } } = texts;
  const current = markup` aria-current="page"`;
  const link = (name: string, fields: { range: string; by?: string }, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, fields)}"${isCurrent && current}>${name}</a>`;
  const ranges = RANGES.map((each) =>
    link(nameIn(labels.ranges, each), { range: each }, each === range)
  );
  const steps = isTooLongForDays(shown, overview) ? [] : ["day", "week"] as const;
  const stepLinks = steps.map((each) => link(labels.by[each], { range, by: each }, each === by));
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${ranges}</p>
<p class="tabs">${stepLinks}</p>
</nav>`;
}

/**
 * The number of intervals between the grid lines of an axis. Both axes have the same number, and so share the lines.
 */
const INTERVALS = 4;

/** The width of a day in the units of the drawing. The style sheet stretches the drawing to the width of the page. */
const DAY_WIDTH = 10;
const GAP = 1;
const HEIGHT = 200;

/**
 * Returns the five ticks of an axis from the largest down to zero. They are whole numbers at a round distance.
 *
 * @param largest the largest value that the axis must have room for
 */
export function ticksOf(largest: number): number[] {
  const atLeast = Math.max(1, largest / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((factor) => factor * power)
    .find((step) => step >= atLeast && Number.isInteger(step))!;
  return Array.from({ length: INTERVALS + 1 }, (_, index) => step * (INTERVALS - index));
}

/** Draws the sign-ups of each day or week as bars, and the number of people at its end as a line. */
export function daysChart(rows: GrowthRow[], texts: ConsoleTexts): Html {
  const { days: names } = texts.overview;
  const total = rows.at(-1)?.people ?? 0;
  const width = rows.length * DAY_WIDTH;
  const left = ticksOf(Math.max(...rows.map(({ added }) => added)));
  const right = ticksOf(total);
  const label = names.described({ added: rows.reduce((sum, { added }) => sum + added, 0), total });
  const gridLines = left.map((_, at) => {
    const y = HEIGHT * at / INTERVALS;
    return markup`<line x2="${width}" y1="${y}" y2="${y}"/>`;
  });
  const dates = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)]
    .map((row) => markup`<span>${row && texts.date(row.since)}</span>`);
  return markup`<figure class="days">
<p class="legend" aria-hidden="true"><span><i class="key bar"></i> ${names.added}</span>
<span><i class="key line"></i> ${names.total}</span></p>
<div class="chart">
${axis("left", left, texts)}
<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}"
 preserveAspectRatio="none">
${gridLines}
${rows.map((row, index) => bar(row, { index, largest: left[0]!, texts }))}
<polyline points="${line(rows, right[0]!)}"/>
</svg>
${axis("right", right, texts)}
<p class="dates" aria-hidden="true">${dates}</p>
</div>
<details><summary>${names.table}</summary>
${growthTable(rows, texts)}
</details>
</figure>`;
}

function axis(side: "left" | "right", ticks: number[], { shortNumber }: ConsoleTexts): Html {
  const labels = ticks.map((tick) => markup`<span>${shortNumber(tick)}</span>`);
  return markup`<p class="axis ${side}" aria-hidden="true">${labels}</p>`;
}

/** A bar, and a transparent column behind it, so that the pointer shows the numbers of a small bar as well. */
function bar(
  { since, until, added, people }: GrowthRow,
  { index, largest, texts }: { index: number; largest: number; texts: ConsoleTexts },
): Html {
  const { overview: { days: { signUps, people: onTheList } }, number } = texts;
  const x = index * DAY_WIDTH;
  const width = DAY_WIDTH - 2 * GAP;
  const height = round(HEIGHT * added / largest);
  const y = round(HEIGHT - height);
  const title = `${texts.date(since, until)}\n${signUps}: ${number(added)}\n` +
    `${onTheList}: ${number(people)}`;
  return markup`<g><title>${title}</title>
<rect class="ground" x="${x}" y="0" width="${DAY_WIDTH}" height="${HEIGHT}"/>
<rect class="bar" x="${x + GAP}" y="${y}" width="${width}" height="${height}"/></g>`;
}

/** The points of the line that shows the number of people, in the syntax of SVG. */
function line(rows: GrowthRow[], largest: number): string {
  return rows.map(({ people }, index) => {
    const x = index * DAY_WIDTH + DAY_WIDTH / 2;
    return `${x},${round(HEIGHT - HEIGHT * people / largest)}`;
  }).join(" ");
}

/** Rounds to a tenth, which keeps the page small. */
const round = (length: number): number => Math.round(length * 10) / 10;

/** The numbers of the chart as a table, with languages and forms. The newest row comes first. */
function growthTable(rows: GrowthRow[], texts: ConsoleTexts): Html {
  const { overview: { days: names }, words, number } = texts;
  const forms = SOURCES.map((source) => ({ number: words.sources[source] }));
  const head = [names.day, { number: names.signUps }]
    .concat(LANGS.map((lang) => ({ number: words.langs[lang] })), forms, { number: names.people });
  const toRow = ({ since, until, added, people, byLang, bySource }: GrowthRow): Cell[] => {
    const range = { since, until };
    // An older row has dashes in place of these numbers, because the overview has the answers of the last 371 days
    // only.
    const answer = (field: string, counts: Record<string, number> | undefined, value: string) => {
      const count = counts?.[value] ?? 0;
      return { number: counts ? countLink(count, { ...range, [field]: value }, texts) : "–" };
    };
    return [
      { row: texts.date(since, until) },
      { number: countLink(added, range, texts) },
      ...LANGS.map((lang) => answer("lang", byLang, lang)),
      ...SOURCES.map((source) => answer("source", bySource, source)),
      { number: number(people) },
    ];
  };
  return table({ caption: names.heading, head, rows: rows.toReversed().map(toRow) });
}

/** The sign-ups of each of the last weeks, and how many of these people have come to each step since. */
export function weeksTable({ weeks, generatedAt }: Overview, texts: ConsoleTexts): Html {
  const { overview: { weeks: names }, words, percent } = texts;
  const today = generatedAt.slice(0, 10);
  const rows = weeks.toReversed().map(({ week, signedUp, ...counts }): Cell[] => {
    const sunday = addDays(week, 6);
    const range = { since: week, until: sunday };
    return [
      { row: texts.date(week, sunday < today ? sunday : today) },
      { number: countLink(signedUp, range, texts) },
      ...STEPS.map((reached) => {
        const count = counts[reached];
        const share = count > 0 && markup` <small>${percent(count / signedUp)}</small>`;
        return { number: markup`${countLink(count, { ...range, reached }, texts)}${share}` };
      }),
    ];
  });
  const head = [names.week, { number: names.signedUp }]
    .concat(STEPS.map((step) => ({ number: words.steps[step] })));
  return table({ caption: names.caption, head, rows });
}
