/**
 * Drawings of proportions: the states, the answers to each question, and the campaigns. @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS, OTHER_VALUES, STATES } from "../../waitlist/mod.ts";
import { countLink, nameIn, type Names, section, table } from "../components.ts";
import type { FieldValues } from "../forms.ts";

/** The width of the drawings, in their own units. The style sheet stretches a drawing to the width of the page. */
const WIDTH = 1000;

/** The largest number of values with bars of their own. One more bar shows the sum of all other values. */
const MAX_BARS = 8;

/** An answer to a question or a value of a campaign field, with the number of people who have this value. */
interface ValueCount {
  name: string;
  count: number;
  /** The filters that list the people who have this value; absent if `count` is the sum of several values. */
  filters?: FieldValues;
}

/** How many people have each answer to a question, or each value of a campaign field. */
interface Distribution {
  heading: string;
  /** All values that the service counts, the most frequent first. */
  values: ValueCount[];
  /**
   * The values that the bars show: all values or, if there are too many, the first values and one item with the sum of
   * the others.
   */
  bars: ValueCount[];
}

/** Draws the states as parts of one bar. The table below the bar is the legend. */
export function statesBar({ states }: Overview, texts: ConsoleTexts): Html {
  const total = Math.max(1, STATES.reduce((sum, state) => sum + states[state], 0));
  const parts: Html[] = [];
  let x = 0;
  for (const state of STATES) {
    const width = WIDTH * states[state] / total;
    parts.push(markup`<rect class="${state}" x="${x}" y="0" width="${width}" height="10"/>`);
    x += width;
  }
  return markup`<figure class="states">
<svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="ground" x="0" y="0" width="${WIDTH}" height="10"/>
${parts}
</svg>
${statesTable(states, total, texts)}
</figure>`;
}

/**
 * The states with their colours, numbers and shares: the legend of the bar.
 * @param total the number of people in all states, at least 1
 */
function statesTable(states: Overview["states"], total: number, texts: ConsoleTexts): Html {
  const { overview: { states: { caption, share } }, pages, words, percent } = texts;
  return table({
    caption,
    head: [words.fields.state, { number: pages.people }, { number: share }],
    rows: STATES.map((state) => [
      { rowHeading: markup`<span class="key ${state}"></span> ${words.states[state]}` },
      { number: countLink(states[state], { state }, texts) },
      { number: percent(states[state] / total) },
    ]),
  });
}

/** Draws the answers to each question as bars, and names the questions that nobody has answered. */
export function answerBars(overview: Overview, texts: ConsoleTexts): Html {
  const { words: { langs, sources }, answers: { role, building } } = texts;
  const distributions = [
    distributionOf("lang", { counts: overview.byLang, names: langs }, texts),
    distributionOf("role", { counts: overview.byRole, names: role }, texts),
    distributionOf("building", { counts: overview.byBuilding, names: building }, texts),
    distributionOf("source", { counts: overview.bySource, names: sources }, texts),
  ];
  const isAnswered = ({ values }: Distribution) => values.length > 0;
  const unanswered = distributions.filter((distribution) => !isAnswered(distribution))
    .map(({ heading }) => heading);
  const { none, scale } = texts.overview.answers;
  return markup`${drawDistributions(distributions.filter(isAnswered), texts)}
${unanswered.length > 0 && markup`<p class="soft">${none({ fields: unanswered.join(", ") })}</p>`}
<p class="hint">${scale}</p>`;
}

/** Draws how many people each campaign has brought; `undefined` if no campaign has brought anybody. */
export function campaignSection({ campaigns }: Overview, texts: ConsoleTexts): Html | undefined {
  const { campaigns: labels } = texts.overview;
  const distributions = CAMPAIGN_FIELDS.flatMap((field) => {
    const counts = campaigns?.[field] ?? {};
    // The service counts the values that have no counter of their own together, under this name.
    const names = { [OTHER_VALUES]: labels.further };
    return Object.keys(counts).length > 0
      ? distributionOf(field, { counts, names, combinedValue: OTHER_VALUES }, texts)
      : [];
  });
  if (distributions.length === 0) return undefined;
  const content = markup`${drawDistributions(distributions, texts)}
<p class="hint">${labels.hint}</p>`;
  return section("campaigns", labels.heading, content);
}

/** Returns the distribution of the values of `field`, which is a field of a sign-up. */
function distributionOf(
  field: keyof ConsoleTexts["words"]["fields"],
  { counts, names = {}, combinedValue }: {
    counts: Record<string, number>;
    names?: Names;
    /** A value in `counts` that stands for many values, and by which people cannot be filtered. */
    combinedValue?: string;
  },
  { words, overview }: ConsoleTexts,
): Distribution {
  const values = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
    .map(([value, count]): ValueCount => ({
      name: nameIn(names, value),
      count,
      ...value !== combinedValue && { filters: { [field]: value } },
    }));
  const bars = values.slice(0, MAX_BARS);
  const valuesWithoutBar = values.slice(MAX_BARS);
  if (valuesWithoutBar.length > 0) {
    bars.push({
      name: overview.answers.others({ kinds: valuesWithoutBar.length }),
      count: valuesWithoutBar.reduce((sum, { count }) => sum + count, 0),
    });
  }
  return { heading: words.fields[field], values, bars };
}

/** The number of people who have a value, with a link to these people. */
function showCount({ count, filters }: ValueCount, texts: ConsoleTexts): Html | string {
  return filters ? countLink(count, filters, texts) : texts.number(count);
}

/** Draws the bars of distributions, all of them in the same scale. */
function drawDistributions(distributions: Distribution[], texts: ConsoleTexts): Html {
  const largest = Math.max(
    1,
    ...distributions.flatMap(({ bars }) => bars.map(({ count }) => count)),
  );
  return markup`<div class="answers">
${distributions.map((distribution) => drawDistribution(distribution, largest, texts))}
</div>`;
}

/**
 * Draws the bars of a distribution. If some values have no bars of their own, a folded table lists all values.
 * @param largest the number of people that a bar of the full width stands for
 */
function drawDistribution(
  { heading, values, bars }: Distribution,
  largest: number,
  texts: ConsoleTexts,
): Html {
  const { overview: { answers: labels }, pages } = texts;
  const rows = bars.map((value) => {
    const { name, count } = value;
    const width = Math.round(WIDTH * count / largest);
    return markup`<tr><th scope="row">${name}</th>
<td><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="bar" x="0" y="0" width="${width}" height="10"/></svg></td>
<td class="number">${showCount(value, texts)}</td></tr>`;
  });
  const allValues = values.length > MAX_BARS && table({
    caption: heading,
    head: [labels.answer, { number: pages.people }],
    rows: values.map((value) => [value.name, { number: showCount(value, texts) }]),
  });
  return markup`<div>
<table class="bars">
<caption>${heading}</caption>
<tbody>
${rows}
</tbody>
</table>
${allValues && markup`<details><summary>${labels.all}</summary>${allValues}</details>`}
</div>`;
}
