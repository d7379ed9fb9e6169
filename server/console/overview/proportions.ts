/**
 * Drawings of proportions: the states, what became of invitations, the answers to each question, and the campaigns.
 * @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS, OTHER_VALUES, STATES } from "../../waitlist/mod.ts";
import { countLink, facts, nameIn, type Names, showDuration, table } from "../components.ts";
import type { FieldValues } from "../forms.ts";

/** The width of the drawings, which the style sheet stretches to the width of the page. */
const WIDTH = 1000;

/** The largest number of answers with bars of their own. One more bar shows the sum of all other answers. */
const MAX_BARS = 8;

/** Draws the states as parts of one bar. The table below the bar is the legend. */
export function statesBar({ states }: Overview, texts: ConsoleTexts): Html {
  const total = Math.max(1, STATES.reduce((sum, state) => sum + states[state], 0));
  let end = 0;
  const parts = STATES.map((state) => {
    const x = end;
    const width = WIDTH * states[state] / total;
    end += width;
    return markup`<rect class="${state}" x="${x}" y="0" width="${width}" height="10"/>`;
  });
  return markup`<figure class="states">
<svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="ground" x="0" y="0" width="${WIDTH}" height="10"/>
${parts}
</svg>
${statesTable(states, total, texts)}
</figure>`;
}

/** @param total the number of people in all states, at least 1 */
function statesTable(states: Overview["states"], total: number, texts: ConsoleTexts): Html {
  const { overview: { states: { caption, share } }, pages, words, percent } = texts;
  return table({
    caption,
    head: [words.fields.state, { number: pages.people }, { number: share }],
    rows: STATES.map((state) => [
      { row: markup`<span class="key ${state}"></span> ${words.states[state]}` },
      { number: countLink(states[state], { state }, texts) },
      { number: percent(states[state] / total) },
    ]),
  });
}

/**
 * How many people were invited, how many of them accepted, and the median time from the invitation to the acceptance.
 */
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

/** Draws the answers to each question as bars. */
export function answerBars(overview: Overview, texts: ConsoleTexts): Html {
  const { words: { langs, sources }, answers: { role, building } } = texts;
  const questions = [
    answersTo("lang", { counts: overview.byLang, names: langs }, texts),
    answersTo("role", { counts: overview.byRole, names: role }, texts),
    answersTo("building", { counts: overview.byBuilding, names: building }, texts),
    answersTo("source", { counts: overview.bySource, names: sources }, texts),
  ];
  return markup`${drawQuestions(questions, texts)}
<p class="hint">${texts.overview.answers.scale}</p>`;
}

/** Draws how many people each campaign has brought; `undefined` if no campaign has brought anybody. */
export function campaignSection({ campaigns }: Overview, texts: ConsoleTexts): Html | undefined {
  const { campaigns: labels } = texts.overview;
  const questions = CAMPAIGN_FIELDS.flatMap((field) => {
    const counts = campaigns?.[field] ?? {};
    const names = { [OTHER_VALUES]: labels.further };
    return Object.keys(counts).length > 0
      ? answersTo(field, { counts, names, sumName: OTHER_VALUES }, texts)
      : [];
  });
  if (questions.length === 0) return undefined;
  return markup`<section><h2>${labels.heading}</h2>
${drawQuestions(questions, texts)}
<p class="hint">${labels.hint}</p></section>`;
}

/** An answer and the number of people who gave it. */
interface Answer {
  name: string;
  count: number;
  /** The filters of the list of the people who gave this answer; absent for the sum of several answers. */
  filters?: FieldValues;
}

/** A question with its answers, or a field of a campaign with its values as answers. */
interface Question {
  heading: string;
  /** All answers, the most frequent first. */
  answers: Answer[];
  /** The answers that have bars. The last item can be the sum of all other answers. */
  bars: Answer[];
}

/** Returns a question with its answers. @param field the field of a sign-up that has the answer */
function answersTo(
  field: keyof ConsoleTexts["words"]["fields"],
  { counts, names = {}, sumName }: {
    counts: Record<string, number>;
    names?: Names;
    /** The name in `counts` that stands for several answers. People cannot be filtered by this name. */
    sumName?: string;
  },
  { words, overview }: ConsoleTexts,
): Question {
  const answers = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
    .map(([answer, count]): Answer => ({
      name: nameIn(names, answer),
      count,
      ...answer !== sumName && { filters: { [field]: answer } },
    }));
  const rest = answers.slice(MAX_BARS);
  const bars = answers.slice(0, MAX_BARS);
  if (rest.length > 0) {
    const others = overview.answers.others({ kinds: rest.length });
    bars.push({ name: others, count: rest.reduce((sum, { count }) => sum + count, 0) });
  }
  return { heading: words.fields[field], answers, bars };
}

/** The number of people who gave an answer, with a link to these people. */
function countOf({ count, filters }: Answer, texts: ConsoleTexts): Html | string {
  return filters ? countLink(count, filters, texts) : texts.number(count);
}

/** Draws the bars of questions, all of them in the same scale. */
function drawQuestions(questions: Question[], texts: ConsoleTexts): Html {
  const largest = Math.max(1, ...questions.flatMap(({ bars }) => bars.map(({ count }) => count)));
  return markup`<div class="answers">
${questions.map((question) => drawQuestion(question, largest, texts))}
</div>`;
}

/**
 * Draws the bars of a question. If some answers have no bars of their own, a table lists all answers.
 * @param largest the number of people whose bar has the full width
 */
function drawQuestion(
  { heading, answers, bars }: Question,
  largest: number,
  texts: ConsoleTexts,
): Html {
  const { overview: { answers: labels }, pages } = texts;
  const rows = bars.map((answer) => {
    const { name, count } = answer;
    const width = Math.round(WIDTH * count / largest);
    return markup`<tr><th scope="row">${name}</th>
<td><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="bar" x="0" y="0" width="${width}" height="10"/></svg></td>
<td class="number">${countOf(answer, texts)}</td></tr>`;
  });
  const allAnswers = answers.length > MAX_BARS && table({
    caption: heading,
    head: [labels.answer, { number: pages.people }],
    rows: answers.map((answer) => [answer.name, { number: countOf(answer, texts) }]),
  });
  return markup`<div>
<table class="bars">
<caption>${heading}</caption>
<tbody>
${rows.length > 0 ? rows : markup`<tr><td class="soft">${labels.none}</td></tr>`}
</tbody>
</table>
${allAnswers && markup`<details><summary>${labels.all}</summary>${allAnswers}</details>`}
</div>`;
}
