/**
 * Formats the statistics as text with bars, and as CSV.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { ownMember } from "../../../shared/own_member.ts";
import type { WaitlistStats } from "../../../shared/schemas.ts";
import { formatNumber, formatSecond } from "../../format.ts";
import type { Style } from "../../print.ts";

/** The totals of the statistics, with their labels. */
const TOTALS = { total: "Total", last7Days: "Last 7 days", last30Days: "Last 30 days" } as const;

/** The maps of the statistics, which count sign-ups by a key such as a language, with their titles. */
const MAPS = {
  byLang: "By language",
  byRole: "By role",
  byBuilding: "By use case",
  bySource: "By form",
} as const;

/** How many characters of a key are shown at most. */
const MAX_KEY_LENGTH = 40;

/**
 * Formats the statistics as text: the totals, and a bar for each key of maps such as `byLang`.
 *
 * @param options.earlier earlier statistics, to show the changes since then; `undefined` shows no changes
 * @param options.columns the terminal's width in characters; `undefined` shows no bars
 */
export function formatStats(
  stats: WaitlistStats,
  { earlier, style, columns }: {
    earlier: WaitlistStats | undefined;
    style: Style;
    columns: number | undefined;
  },
): string {
  const generatedAt = formatSecond(quotable(stats.generatedAt));
  const totals = entriesOf(TOTALS).map(([name, label]) => ({
    label,
    count: stats[name],
    change: earlier && stats[name] - earlier[name],
  }));
  const maps = entriesOf(MAPS).map(([name, title]) => {
    const rows = countRows(stats[name], earlier?.[name]);
    const lines = rows.length > 0
      ? formatBars(rows, { style, columns })
      : style.dim("  nobody yet\n");
    return `\n${style.bold(title)}\n${lines}`;
  });
  return `${style.bold("Waitlist statistics")}, ${stats.environment}, ${generatedAt}\n\n` +
    formatBars(totals, { style, columns: undefined }) + maps.join("");
}

/** Returns the entries of an object with the types of its names. */
function entriesOf<Name extends string>(object: Record<Name, string>): [Name, string][] {
  return Object.entries(object) as [Name, string][];
}

/** Makes a row for each key of a map, the greatest count first. */
function countRows(
  counts: Record<string, number>,
  earlierCounts: Record<string, number> | undefined,
): CountRow[] {
  return Object.entries(counts)
    .sort(([key, count], [otherKey, otherCount]) =>
      otherCount - count || key.localeCompare(otherKey)
    )
    .map(([key, count]) => ({
      label: quotable(key, MAX_KEY_LENGTH),
      count,
      change: earlierCounts && count - (ownMember(earlierCounts, key) ?? 0),
    }));
}

/** The longest bar, in characters. */
const MAX_BAR = 40;

/** If the longest bar would be shorter than this, in characters, there are no bars. */
const MIN_BAR = 4;

/** A line with a count. */
export interface CountRow {
  label: string;
  count: number;
  /** The change of the count since earlier statistics. It is not shown if it is 0. */
  change: number | undefined;
}

/**
 * How many characters of a line are gaps: two before each of its four parts (label, count, change and bar), and one at
 * the end, which stays free.
 */
const GAPS_WIDTH = 9;

/**
 * Formats counts below each other, with bars if the terminal is wide enough.
 *
 * @param options.columns the terminal's width in characters; `undefined` shows no bars
 */
export function formatBars(
  rows: CountRow[],
  { style, columns }: { style: Style; columns: number | undefined },
): string {
  const lines = rows.map(({ label, count, change }) => ({
    label,
    count,
    countText: formatNumber(count),
    changeText: change ? formatChange(change) : "",
  }));
  const labelWidth = longest(lines.map(({ label }) => label));
  const countWidth = longest(lines.map(({ countText }) => countText));
  const changeWidth = longest(lines.map(({ changeText }) => changeText));
  const freeWidth = (columns ?? 0) - labelWidth - countWidth - changeWidth - GAPS_WIDTH;
  const maxBar = Math.min(MAX_BAR, freeWidth);
  const scale = maxBar / Math.max(1, ...rows.map(({ count }) => count));

  return lines.map(({ label, count, countText, changeText }) => {
    // Every count except 0 gets a bar of at least one character.
    const minBar = count > 0 ? 1 : 0;
    const barLength = maxBar < MIN_BAR ? 0 : Math.max(minBar, Math.round(count * scale));
    const bar = barLength > 0 ? style.cyan("█".repeat(barLength)) : "";
    const change = changeWidth > 0 ? `  ${style.green(changeText.padEnd(changeWidth))}` : "";
    const texts = `  ${label.padEnd(labelWidth)}  ${countText.padStart(countWidth)}${change}`;
    return `${texts}  ${bar}`.trimEnd() + "\n";
  }).join("");
}

function longest(texts: string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

/** Formats a change with its sign: `+1,200`. */
function formatChange(change: number): string {
  return `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}`;
}

/** The columns of the CSV. */
const CSV_COLUMNS = ["generatedAt", "environment", "figure", "key", "count"];

/**
 * Formats the statistics as CSV with one line for each count. A line for a count of a map also has the key in the map.
 */
export async function formatCsv(
  stats: WaitlistStats,
  { header }: { header: boolean },
): Promise<string> {
  // The library is loaded here because only CSV needs it.
  const { stringify } = await import("csv-stringify/sync");
  const { generatedAt, environment, ...figures } = stats;
  const rows = Object.entries(figures).flatMap(([figure, value]) =>
    typeof value === "number"
      ? [[generatedAt, environment, figure, "", value]]
      : Object.entries(value).map(([key, count]) => [generatedAt, environment, figure, key, count])
  );
  // `escape_formulas` keeps a spreadsheet from running a key as a formula.
  return stringify(rows, { header, columns: CSV_COLUMNS, escape_formulas: true });
}
