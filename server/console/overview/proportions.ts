import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { STATES } from "../../waitlist/mod.ts";
import { byLang, facts, nameIn, type Names, table } from "../components.ts";

/** The width of the drawings, which are stretched to the room that there is. */
const WIDTH = 1000;

/** How many bars each kind of answer has; the others are added up in one more. */
const BARS = 8;

const PERCENT = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENTS = byLang((locale) => new Intl.NumberFormat(locale, PERCENT));

/** Draws the states as parts of one bar, with a table that is its legend, too. */
export function statesBar({ states }: Overview, texts: ConsoleTexts): Html {
  const { overview: { states: { caption, share } }, pages, words, lang, number } = texts;
  const total = Math.max(1, STATES.reduce((sum, state) => sum + states[state], 0));
  let x = 0;
  const parts = STATES.map((state) => {
    const width = WIDTH * states[state] / total;
    const part = markup`<rect class="${state}" x="${x}" y="0" width="${width}" height="10"/>`;
    x += width;
    return part;
  });
  return markup`<figure class="states">
<svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="ground" x="0" y="0" width="${WIDTH}" height="10"/>
${parts}
</svg>
${
    table({
      caption,
      head: [words.fields.state, { number: pages.people }, { number: share }],
      rows: STATES.map((state) => [
        { row: markup`<span class="key ${state}"></span> ${words.states[state]}` },
        { number: number(states[state]) },
        { number: PERCENTS[lang].format(states[state] / total) },
      ]),
    })
  }
</figure>`;
}

/** What became of the invitations, and how soon. */
export function funnelFacts(
  { funnel: { invited, accepted, medianSeconds } }: Overview,
  { overview: { funnel: labels }, lang, number }: ConsoleTexts,
): Html {
  const share = PERCENTS[lang].format(accepted / Math.max(1, invited));
  return markup`<h3>${labels.heading}</h3>
${
    facts([
      [labels.invited, number(invited)],
      [labels.accepted, `${number(accepted)} (${share})`],
      [labels.median, medianSeconds !== undefined && showDuration(lang, medianSeconds)],
    ])
  }`;
}

const UNIT_SECONDS = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** Writes a time in the largest unit of which there are two at least, such as `3 hours`. */
function showDuration(lang: string, seconds: number): string {
  const units = Object.entries(UNIT_SECONDS);
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? ["second", 1];
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(seconds / size));
}

/** Draws the answers to each question as bars of one scale. */
export function answerBars(overview: Overview, texts: ConsoleTexts): Html {
  const { langs, sources } = texts.words;
  // Languages and forms have names; roles and use cases are the operator's own slugs.
  const questions = [
    answersTo("lang", { counts: overview.byLang, names: langs }, texts),
    answersTo("role", { counts: overview.byRole }, texts),
    answersTo("building", { counts: overview.byBuilding }, texts),
    answersTo("source", { counts: overview.bySource, names: sources }, texts),
  ];
  const largest = Math.max(1, ...questions.flatMap(({ shown }) => shown.map(([, count]) => count)));
  return markup`<div class="answers">
${questions.map((question) => barsOf(question, largest, texts))}
</div>
<p class="hint">${texts.overview.answers.scale}</p>`;
}

/** Names and sorts the answers to a question; those in `shown` have bars, and its last one may stand for all others. */
function answersTo(
  field: keyof ConsoleTexts["words"]["fields"],
  { counts, names = {} }: { counts: Record<string, number>; names?: Names },
  { words, overview }: ConsoleTexts,
) {
  const all = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
    .map(([answer, count]): [answer: string, count: number] => [nameIn(names, answer), count]);
  const rest = all.slice(BARS);
  const shown = all.slice(0, BARS);
  if (rest.length > 0) {
    const others = overview.answers.others({ kinds: rest.length });
    shown.push([others, rest.reduce((sum, [, count]) => sum + count, 0)]);
  }
  return { heading: words.fields[field], all, shown };
}

function barsOf(
  { heading, all, shown }: ReturnType<typeof answersTo>,
  largest: number,
  texts: ConsoleTexts,
): Html {
  const { overview: { answers }, pages, number } = texts;
  const rows = shown.map(([answer, count]) =>
    markup`<tr><th scope="row">${answer}</th>
<td><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="bar" x="0" y="0" width="${
      Math.round(WIDTH * count / largest)
    }" height="10"/></svg></td>
<td class="number">${number(count)}</td></tr>`
  );
  return markup`<div>
<table class="bars">
<caption>${heading}</caption>
<tbody>
${rows.length > 0 ? rows : markup`<tr><td class="soft">${answers.none}</td></tr>`}
</tbody>
</table>
${
    all.length > shown.length && markup`<details><summary>${answers.all}</summary>
${
      table({
        caption: heading,
        head: [answers.answer, { number: pages.people }],
        rows: all.map(([answer, count]) => [answer, { number: number(count) }]),
      })
    }</details>`
  }
</div>`;
}
