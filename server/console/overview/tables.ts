/** The tables of the overview: sign-ups by day or week, and the progress of each week's people. @module */
import { type GrowthStep, STEPS } from "../../../shared/counters.ts";
import type { GrowthRow } from "../../../shared/growth.ts";
import { addDays } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS, SOURCES } from "../../waitlist/mod.ts";
import { type Cell, countLink, makeRows, table } from "../components.ts";
import type { FieldValues } from "../forms.ts";
import type { PageContext } from "../page_context.ts";

/** The numbers of the chart as a table, with the sign-ups by language and by form. The newest row comes first. */
export async function growthTable(
  rows: GrowthRow[],
  { texts, yieldToCalls }: Pick<PageContext, "texts" | "yieldToCalls">,
): Promise<Html> {
  const { overview: { days: labels }, words, number } = texts;
  const head = [
    labels.day,
    { number: labels.signUps },
    ...LANGS.map((lang) => ({ number: words.langs[lang] })),
    ...SOURCES.map((source) => ({ number: words.sources[source] })),
    { number: labels.people },
  ];
  const toRow = ({ since, until, added, people, byLang, bySource }: GrowthRow): Cell[] => {
    const range = { since, until };
    return [
      { rowHeading: texts.date(since, until) },
      { number: countLink(added, range, texts) },
      ...LANGS.map((lang) => detailCell(byLang, lang, { filters: { ...range, lang }, texts })),
      ...SOURCES.map((source) =>
        detailCell(bySource, source, { filters: { ...range, source }, texts })
      ),
      { number: number(people) },
    ];
  };
  return table({
    caption: labels.heading,
    head,
    rows: await makeRows(rows.toReversed(), toRow, { yieldToCalls }),
  });
}

/**
 * The number of sign-ups with a value, such as a language. The cell has a dash in a row that begins before the last
 * `MAX_DETAILED_DAYS` days, because the overview has no counts by language and form for earlier days.
 *
 * @param counts the numbers of sign-ups of the row's days, by value; `undefined` if the overview has no such numbers
 * @param options.filters the filters of the list of people that show these sign-ups
 */
function detailCell(
  counts: Record<string, number> | undefined,
  value: string,
  { filters, texts }: { filters: FieldValues; texts: ConsoleTexts },
): Cell {
  return { number: counts ? countLink(counts[value] ?? 0, filters, texts) : "–" };
}

/** The steps of people who were asked to confirm. */
const STEPS_IF_ASKED: GrowthStep[] = ["taken", "confirmed"];

/**
 * The sign-ups of each of the last weeks, and how many of these people have come to each step until now. The table
 * begins with the first of these weeks in which somebody signed up; if there is none, a sentence says so. The steps of
 * people who were asked to confirm have a dash in a week of which nobody was asked, such as a week of imported people.
 *
 * @param firstUnconfirmed the UTC day on which the first of the unconfirmed people signed up; `undefined` if nobody is
 * unconfirmed. Whoever was asked to confirm is unconfirmed, or has made one of these steps.
 */
export function weeksTable(
  { weeks, generatedAt }: Overview,
  firstUnconfirmed: string | undefined,
  texts: ConsoleTexts,
): Html {
  const { overview: { weeks: labels }, words, percent } = texts;
  const today = generatedAt.slice(0, 10);
  const firstIndex = weeks.findIndex(({ signedUp }) => signedUp > 0);
  if (firstIndex < 0) return markup`<p class="empty">${labels.none}</p>`;
  const rows = weeks.slice(firstIndex).toReversed().map(({ week, signedUp, ...counts }): Cell[] => {
    const sunday = addDays(week, 6);
    const range = { since: week, until: sunday };
    const mayBeAsked = STEPS_IF_ASKED.some((step) => counts[step] > 0) ||
      (firstUnconfirmed !== undefined && firstUnconfirmed <= sunday);
    return [
      { rowHeading: texts.date(week, sunday < today ? sunday : today) },
      { number: countLink(signedUp, range, texts) },
      ...STEPS.map((reached) => {
        const count = counts[reached];
        if (!mayBeAsked && STEPS_IF_ASKED.includes(reached)) {
          return { number: markup`– <small></small>` };
        }
        // An empty share keeps its width, so that the counts of a column stand below each other.
        const share = markup`<small>${count > 0 && percent(count / signedUp)}</small>`;
        return { number: markup`${countLink(count, { ...range, reached }, texts)} ${share}` };
      }),
    ];
  });
  const head = [
    labels.week,
    { number: labels.signedUp },
    ...STEPS.map((step) => ({ number: words.steps[step] })),
  ];
  return markup`${table({ caption: labels.caption, head, rows })}
<p class="hint">${labels.hint}</p>`;
}
