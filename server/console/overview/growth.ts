/** The sign-ups of a range by day or week, and how far those of the last weeks have come. @module */
import { STEPS } from "../../../shared/counters.ts";
import type { GrowthRow } from "../../../shared/growth.ts";
import { weekOf } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS, SOURCES, utcDay } from "../../waitlist/mod.ts";
import { type Cell, countLink, nameIn, table } from "../components.ts";
import { knownValue, pathWith } from "../form_fields.ts";
import { PATHS } from "../page_context.ts";

const RANGES = ["7", "30", "90", "365", "all"] as const;

export type Range = ReturnType<typeof readRange>;

/** Reads which range a query asks for; one of a year or more is by week, unless the query says `by=day`. */
export function readRange(query: URLSearchParams, now: number) {
  const range = knownValue(RANGES, query.get("range")) ?? "90";
  const usual = range === "365" || range === "all" ? "week" : "day";
  const by = knownValue(["day", "week"], query.get("by")) ?? usual;
  const first = range === "all" ? "1970-01-01" : utcDay(now, Number(range) - 1);
  const since = by === "week" ? weekOf(first) : first;
  // This week stands beside the last in every range.
  return { range, by, since, needed: [since, weekOf(utcDay(now, 7))].toSorted()[0]! };
}

/** The most days that are shown one by one. */
const MAX_DAYS = 371;

/** A range as it is shown: since the beginning of a list that is older, it is by week. */
export const shownRange = (range: Range, { days }: Overview) =>
  range.range === "all" && days.length > MAX_DAYS
    ? { ...range, by: "week" as const, hasDays: false }
    : { ...range, hasDays: true };

/** The ways to the other ranges. */
export function rangeLinks(
  { range, by, hasDays }: ReturnType<typeof shownRange>,
  { overview: { days: labels } }: ConsoleTexts,
) {
  const current = markup` aria-current="page"`;
  const link = (name: string, fields: { range: string; by?: string }, isCurrent: boolean) =>
    markup`<a href="${pathWith(PATHS.overview, fields)}"${isCurrent && current}>${name}</a>`;
  const ranges = RANGES.map((each) => {
    return link(nameIn(labels.ranges, each), { range: each }, each === range);
  });
  const steps = (hasDays ? ["day", "week"] as const : [])
    .map((each) => link(labels.by[each], { range, by: each }, each === by));
  return markup`<nav class="ranges" aria-label="${labels.heading}">
<p class="tabs">${ranges}</p>
<p class="tabs">${steps}</p>
</nav>`;
}

export function growthTable(rows: GrowthRow[], texts: ConsoleTexts): Html {
  const { overview: { days: names }, words, number } = texts;
  const forms = SOURCES.map((source) => ({ number: words.sources[source] }));
  const head = [names.day, { number: names.signUps }]
    .concat(LANGS.map((lang) => ({ number: words.langs[lang] })), forms, { number: names.people });
  const toRow = ({ since, until, added, people, byLang: langs, bySource }: GrowthRow): Cell[] => {
    const range = { since, until };
    const answer = (field: string, counts: Record<string, number> | undefined, value: string) => {
      const count = counts?.[value] ?? 0;
      return { number: counts ? countLink(count, { ...range, [field]: value }, texts) : "–" };
    };
    return [
      { row: texts.date(since, until) },
      { number: countLink(added, range, texts) },
      ...LANGS.map((lang) => answer("lang", langs, lang)),
      ...SOURCES.map((source) => answer("source", bySource, source)),
      { number: number(people) },
    ];
  };
  return table({ caption: names.heading, head, rows: rows.toReversed().map(toRow) });
}

/** How far those have come who signed up in each of the last weeks. */
export function weeksTable({ weeks, generatedAt }: Overview, texts: ConsoleTexts): Html {
  const { overview: { weeks: names }, words, percent } = texts;
  const today = generatedAt.slice(0, 10);
  const rows = weeks.toReversed().map(({ week, signedUp, ...counts }): Cell[] => {
    const sunday = utcDay(Date.parse(week), -6);
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
