import type { GrowthRow } from "../../../shared/growth.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { growthTable } from "./growth.ts";

/** The parts of an axis between its grid lines, of which both axes have the same. */
const INTERVALS = 4;

/** The size of the drawing; it is stretched to the room that there is, and its labels stand beside it. */
const DAY_WIDTH = 10, GAP = 1, HEIGHT = 200;

/** Finds the five ticks of an axis down to zero, the largest first: whole numbers, a round one apart. */
export function ticksOf(largest: number): number[] {
  const atLeast = Math.max(1, largest / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((factor) => factor * power)
    .find((step) => step >= atLeast && Number.isInteger(step))!;
  return Array.from({ length: INTERVALS + 1 }, (_, index) => step * (INTERVALS - index));
}

/** Draws the sign-ups of each day or week as bars, and how many people there were at its end as a line. */
export function daysChart(rows: GrowthRow[], texts: ConsoleTexts): Html {
  const { days: names } = texts.overview;
  const total = rows.at(-1)?.people ?? 0;
  const width = rows.length * DAY_WIDTH, stepOf = (at: number) => HEIGHT * at / INTERVALS;
  const left = ticksOf(Math.max(...rows.map(({ added }) => added)));
  const right = ticksOf(total);
  const label = names.described({ added: rows.reduce((sum, { added }) => sum + added, 0), total });
  const dates = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)]
    .map((row) => markup`<span>${row && texts.date(row.since)}</span>`);
  return markup`<figure class="days">
<p class="legend" aria-hidden="true"><span><i class="key bar"></i> ${names.added}</span>
<span><i class="key line"></i> ${names.total}</span></p>
<div class="chart">
${axis("left", left, texts)}
<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}"
 preserveAspectRatio="none">
${left.map((_, at) => markup`<line x2="${width}" y1="${stepOf(at)}" y2="${stepOf(at)}"/>`)}
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

/** A bar, and the ground of its column, so that the pointer finds the numbers of a small one. */
function bar(
  { since, until, added, people }: GrowthRow,
  { index, largest, texts }: { index: number; largest: number; texts: ConsoleTexts },
): Html {
  const { overview: { days: { signUps, people: onTheList } }, number } = texts;
  const x = index * DAY_WIDTH;
  const height = round(HEIGHT * added / largest);
  const y = round(HEIGHT - height);
  const days = texts.date(since, until), width = DAY_WIDTH - 2 * GAP;
  const title = `${days}\n${signUps}: ${number(added)}\n${onTheList}: ${number(people)}`;
  return markup`<g><title>${title}</title>
<rect class="ground" x="${x}" y="0" width="${DAY_WIDTH}" height="${HEIGHT}"/>
<rect class="bar" x="${x + GAP}" y="${y}" width="${width}" height="${height}"/></g>`;
}

function line(rows: GrowthRow[], largest: number): string {
  return rows.map(({ people }, index) => {
    const x = index * DAY_WIDTH + DAY_WIDTH / 2;
    return `${x},${round(HEIGHT - HEIGHT * people / largest)}`;
  }).join(" ");
}

const round = (length: number): number => Math.round(length * 10) / 10;
