/**
 * The chart of the overview: sign-ups as bars, and people as a line. `range.ts` chooses the days, and `tables.ts` has
 * the same numbers as a table.
 * @module
 */
import type { GrowthRow } from "../../../shared/growth.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";

/**
 * The number of intervals between the grid lines. The left and the right axis both have this number of intervals, so
 * that the same grid lines serve both axes.
 */
const INTERVALS = 4;

/**
 * The width of the column of a day or week, in the units of the drawing. The style sheet stretches the drawing to the
 * width of the page.
 */
const COLUMN_WIDTH = 10;

/** The space at each side of a bar, in the units of the drawing. */
const GAP = 1;

/** The height of the drawing, in its own units. */
const HEIGHT = 200;

/** The distance between two ticks is one of these numbers, or the product of such a number and a power of ten. */
const ROUND_NUMBERS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Returns the ticks of an axis from the largest down to zero. The ticks are whole numbers, and the distance between two
 * ticks is a round number. There are always `INTERVALS` + 1 ticks.
 *
 * @param largest the largest value for which the axis must have room
 */
export function ticksOf(largest: number): number[] {
  const minDistance = Math.max(1, largest / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(minDistance));
  const distance = ROUND_NUMBERS.map((roundNumber) => roundNumber * power)
    // A distance is always found, because the number 10 always fits.
    .find((candidate) => candidate >= minDistance && Number.isInteger(candidate))!;
  return Array.from({ length: INTERVALS + 1 }, (_, index) => distance * (INTERVALS - index));
}

/**
 * Draws the sign-ups of each day or week as bars, and the number of people at the end of each day or week as a line.
 *
 * @param rows the days or weeks, the oldest first; empty if the overview has no day of the range
 * @param options.foldedTable the same numbers as a table, which the browser shows when the operator unfolds it
 */
export function growthChart(
  rows: GrowthRow[],
  { texts, foldedTable }: { texts: ConsoleTexts; foldedTable: Html },
): Html {
  // A chart by week has the same labels as a chart by day.
  const labels = texts.overview.days;
  const peopleAtEnd = rows.at(-1)?.people ?? 0;
  const width = rows.length * COLUMN_WIDTH;
  const signUpTicks = ticksOf(Math.max(0, ...rows.map(({ added }) => added)));
  // No row has more people than the last row, because every row adds its sign-ups to the people of the row before.
  const peopleTicks = ticksOf(peopleAtEnd);
  // The first tick of an axis stands at the full height of the drawing.
  const topSignUpTick = signUpTicks[0]!;
  const topPeopleTick = peopleTicks[0]!;
  const description = labels.described({
    added: rows.reduce((sum, { added }) => sum + added, 0),
    total: peopleAtEnd,
  });
  const gridLines = signUpTicks.map((_, index) => {
    const y = HEIGHT * index / INTERVALS;
    return markup`<line x2="${width}" y1="${y}" y2="${y}"/>`;
  });
  // The chart has the dates of the first, the middle and the last row. In a short chart, two of these can be the same
  // row. The set keeps each row only once.
  const datedRows = new Set([rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)]);
  const dates = Array.from(
    datedRows,
    (row) => markup`<span>${row && texts.date(row.since)}</span>`,
  );
  return markup`<figure class="days">
<p class="legend" aria-hidden="true"><span><i class="key bar"></i> ${labels.added}</span>
<span><i class="key line"></i> ${labels.total}</span></p>
<div class="chart">
${axis("left", signUpTicks, texts)}
<svg role="img" aria-label="${description}" viewBox="0 0 ${width} ${HEIGHT}"
 preserveAspectRatio="none">
${gridLines}
${rows.map((row, index) => barOf(row, { index, topTick: topSignUpTick, texts }))}
<polyline points="${linePoints(rows, topPeopleTick)}"/>
</svg>
${axis("right", peopleTicks, texts)}
<p class="dates" aria-hidden="true">${dates}</p>
</div>
<details><summary>${labels.table}</summary>
${foldedTable}
</details>
</figure>`;
}

function axis(side: "left" | "right", ticks: number[], { shortNumber }: ConsoleTexts): Html {
  const numbers = ticks.map((tick) => markup`<span>${shortNumber(tick)}</span>`);
  return markup`<p class="axis ${side}" aria-hidden="true">${numbers}</p>`;
}

/**
 * A bar, and a transparent column of the full height behind the bar. Because of this column, a small bar shows its
 * numbers also if the pointer is over the empty space above the bar.
 */
function barOf(
  { since, until, added, people }: GrowthRow,
  { index, topTick, texts }: { index: number; topTick: number; texts: ConsoleTexts },
): Html {
  const labels = texts.overview.days;
  const x = index * COLUMN_WIDTH;
  const width = COLUMN_WIDTH - 2 * GAP;
  const height = roundToTenth(HEIGHT * added / topTick);
  const y = roundToTenth(HEIGHT - height);
  const title = `${texts.date(since, until)}\n${labels.signUps}: ${texts.number(added)}\n` +
    `${labels.people}: ${texts.number(people)}`;
  return markup`<g><title>${title}</title>
<rect class="ground" x="${x}" y="0" width="${COLUMN_WIDTH}" height="${HEIGHT}"/>
<rect class="bar" x="${x + GAP}" y="${y}" width="${width}" height="${height}"/></g>`;
}

/** Returns the points of the line that shows the number of people, in the syntax of SVG. */
function linePoints(rows: GrowthRow[], topTick: number): string {
  return rows.map(({ people }, index) => {
    const x = index * COLUMN_WIDTH + COLUMN_WIDTH / 2;
    return `${x},${roundToTenth(HEIGHT - HEIGHT * people / topTick)}`;
  }).join(" ");
}

/** Rounds to a tenth of a unit, because more digits would only make the page larger. */
const roundToTenth = (length: number): number => Math.round(length * 10) / 10;
