import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { STATES } from "../../waitlist/mod.ts";
import { countLink, facts, nameIn, type Names, showDuration, table } from "../components.ts";
import type { HandedOn } from "../form_fields.ts";

/** The width of the drawings, which are stretched to the room that there is. */
const WIDTH = 1000;

/** How many bars each kind of answer has; the others are added up in one more. */
const BARS = 8;

/** Draws the states as parts of one bar, with a table that is its legend, too. */
export function statesBar({ states }: Overview, texts: ConsoleTexts): Html {
  const { overview: { states: { caption, share } }, pages, words, percent } = texts;
  const total = Math.max(1, STATES.reduce((sum, state) => sum + states[state], 0));
  let x = 0;
  const parts = STATES.map((state) => {
    const width = WIDTH * states[state] / total;
    const part = markup`<rect class="${state}" x="${x}" y="0" width="${width}" height="10"/>`;
    x += width;
    return part;
  });
  const legend = table({
    caption,
    head: [words.fields.state, { number: pages.people }, { number: share }],
    rows: STATES.map((state) => [
      { row: markup`<span class="key ${state}"></span> ${words.states[state]}` },
      { number: countLink(states[state], { state }, texts) },
      { number: percent(states[state] / total) },
    ]),
  });
  return markup`<figure class="states">
<svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="ground" x="0" y="0" width="${WIDTH}" height="10"/>
${parts}
</svg>
${legend}
</figure>`;
}

/** What became of the invitations, and how soon. */
export function funnelFacts(
  { funnel: { invited, accepted, medianSeconds } }: Overview,
  texts: ConsoleTexts,
): Html {
  const { overview: { funnel: labels }, lang, percent } = texts;
  const share = percent(accepted / Math.max(1, invited));
  const figures = facts([
    [labels.invited, countLink(invited, { reached: "invited" }, texts)],
    [labels.accepted, markup`${countLink(accepted, { state: "accepted" }, texts)} (${share})`],
    [labels.median, medianSeconds !== undefined && showDuration(lang, medianSeconds)],
  ]);
  return markup`<h3>${labels.heading}</h3>
${figures}`;
}

/** Draws the answers to each question as bars of one scale. */
export function answerBars(overview: Overview, texts: ConsoleTexts): Html {
  const { words: { langs, sources }, answers: { role, building } } = texts;
  const questions = [
    answersTo("lang", { counts: overview.byLang, names: langs }, texts),
    answersTo("role", { counts: overview.byRole, names: role }, texts),
    answersTo("building", { counts: overview.byBuilding, names: building }, texts),
    answersTo("source", { counts: overview.bySource, names: sources }, texts),
  ];
  const largest = Math.max(1, ...questions.flatMap(({ shown }) => shown.map(({ count }) => count)));
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
    .map(([answer, count]) => ({
      name: nameIn(names, answer),
      count,
      fields: { [field]: answer },
    }));
  const rest = all.slice(BARS);
  const shown: (Omit<typeof all[number], "fields"> & { fields?: HandedOn })[] = all.slice(0, BARS);
  if (rest.length > 0) {
    const others = overview.answers.others({ kinds: rest.length });
    shown.push({ name: others, count: rest.reduce((sum, { count }) => sum + count, 0) });
  }
  return { heading: words.fields[field], all, shown };
}

function barsOf(
  { heading, all, shown }: ReturnType<typeof answersTo>,
  largest: number,
  texts: ConsoleTexts,
): Html {
  const { overview: { answers }, pages, number } = texts;
  const rows = shown.map(({ name, count, fields }) => {
    const width = Math.round(WIDTH * count / largest);
    return markup`<tr><th scope="row">${name}</th>
<td><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="bar" x="0" y="0" width="${width}" height="10"/></svg></td>
<td class="number">${fields ? countLink(count, fields, texts) : number(count)}</td></tr>`;
  });
  const full = all.length > shown.length && table({
    caption: heading,
    head: [answers.answer, { number: pages.people }],
    rows: all.map(({ name, count, fields }) => [name, { number: countLink(count, fields, texts) }]),
  });
  return markup`<div>
<table class="bars">
<caption>${heading}</caption>
<tbody>
${rows.length > 0 ? rows : markup`<tr><td class="soft">${answers.none}</td></tr>`}
</tbody>
</table>
${full && markup`<details><summary>${answers.all}</summary>${full}</details>`}
</div>`;
}
