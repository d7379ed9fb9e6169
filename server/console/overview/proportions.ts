import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type Lang, STATES } from "../../waitlist/mod.ts";
import { numberCell, numberHead, showNumber, stateName, table } from "../components.ts";
import { OVERVIEW_TEXTS } from "./texts.ts";

/** The width of the drawings, which are stretched to the room that there is. */
const WIDTH = 1000;

/** How many bars each kind of answer has; the others are added up in one more. */
const BARS = 8;

const PERCENT = {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
} as const;
const PERCENTS = {
  en: new Intl.NumberFormat("en-GB", PERCENT),
  de: new Intl.NumberFormat("de-DE", PERCENT),
};

/** Draws the states as parts of one bar, with a table that is its legend, too. */
export function statesBar({ states }: Overview, lang: Lang): Html {
  const { states: texts } = OVERVIEW_TEXTS[lang];
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
      caption: texts.caption,
      head: [texts.state, numberHead(texts.people), numberHead(texts.share)],
      rows: STATES.map((state) => [
        markup`<th scope="row"><span class="key ${state}"></span> ${stateName(lang, state)}</th>`,
        numberCell(lang, states[state]),
        markup`<td class="number">${PERCENTS[lang].format(states[state] / total)}</td>`,
      ]),
    })
  }
</figure>`;
}

/** What people answered to one question. */
interface Answers {
  heading: string;
  /** All answers, the most frequent first. */
  all: AnswerCount[];
  /** Those that have bars; the last one may stand for all others. */
  shown: AnswerCount[];
}

type AnswerCount = [answer: string, count: number];

/** Draws the answers to each question as bars of one scale. */
export function answerBars(overview: Overview, lang: Lang): Html {
  const questions = MAPS.map((map) => answersTo(map, overview, lang));
  const largest = Math.max(1, ...questions.flatMap(({ shown }) => shown.map(([, count]) => count)));
  return markup`<div class="answers">
${questions.map((question) => barsOf(question, largest, lang))}
</div>
<p class="hint">${OVERVIEW_TEXTS[lang].answers.scale}</p>`;
}

const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

function answersTo(map: typeof MAPS[number], overview: Overview, lang: Lang): Answers {
  const { maps, values, others } = OVERVIEW_TEXTS[lang];
  // Languages and forms have names; roles and use cases are the operator's own slugs.
  const nameOf = (answer: string) =>
    map === "byLang" || map === "bySource" ? values[answer] ?? answer : answer;
  const all = Object.entries(overview[map]).toSorted(([, a], [, b]) => b - a)
    .map(([answer, count]): AnswerCount => [nameOf(answer), count]);
  const rest = all.slice(BARS);
  const shown = all.slice(0, BARS);
  if (rest.length > 0) {
    shown.push([others(rest.length), rest.reduce((sum, [, count]) => sum + count, 0)]);
  }
  return { heading: maps[map], all, shown };
}

function barsOf({ heading, all, shown }: Answers, largest: number, lang: Lang): Html {
  const { answers: texts } = OVERVIEW_TEXTS[lang];
  const rows = shown.map(([answer, count]) =>
    markup`<tr><th scope="row">${answer}</th>
<td><svg aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none">
<rect class="bar" x="0" y="0" width="${
      Math.round(WIDTH * count / largest)
    }" height="10"/></svg></td>
<td class="number">${showNumber(lang, count)}</td></tr>`
  );
  return markup`<div>
<table class="bars">
<caption>${heading}</caption>
<tbody>
${rows.length > 0 ? rows : markup`<tr><td class="soft">${texts.none}</td></tr>`}
</tbody>
</table>
${
    all.length > shown.length && markup`<details><summary>${texts.all}</summary>
${
      table({
        caption: heading,
        head: [texts.answer, numberHead(texts.people)],
        rows: all.map(([answer, count]) => [answer, numberCell(lang, count)]),
      })
    }</details>`
  }
</div>`;
}
