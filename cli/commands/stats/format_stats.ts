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

const TOTALS = { total: "Total", last7Days: "Last 7 days", last30Days: "Last 30 days" } as const;

const MAPS = {
  byLang: "By language",
  byRole: "By role",
  byBuilding: "By use case",
  bySource: "By form",
} as const;

/**
 * Formats the statistics as text: the totals, and a bar for each key of maps such as `byLang`.
 *
 * @param options.start earlier statistics, to show the changes since then; `undefined` shows no changes
 * @param options.columns the terminal's width in characters; `undefined` shows no bars
 */
export function formatStats(
  stats: WaitlistStats,
  { start, style, columns }: {
    start: WaitlistStats | undefined;
    style: Style;
    columns: number | undefined;
  },
): string {
  const moment = formatSecond(quotable(stats.generatedAt));
  const entries = <T extends object>(names: T) => Object.entries(names) as [keyof T, string][];

  const totals = entries(TOTALS).map(([figure, label]) => ({
    label,
    count: stats[figure],
    change: start && stats[figure] - start[figure],
  }));
  const maps = entries(MAPS).map(([figure, title]) => {
    const rows = Object.entries(stats[figure])
      .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
      .map(([key, count]) => ({
        label: quotable(key, 40),
        count,
        change: start && count - (ownMember(start[figure], key) ?? 0),
      }));
    const lines = rows.length > 0
      ? formatBars(rows, { style, columns })
      : style.dim("  nobody yet\n");
    return `\n${style.bold(title)}\n${lines}`;
  });
  return `${style.bold("Waitlist statistics")}, ${stats.environment}, ${moment}\n\n` +
    formatBars(totals, { style, columns: undefined }) + maps.join("");
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
    figure: formatNumber(count),
    change: change ? `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}` : "",
  }));
  const width = (field: "label" | "figure" | "change") =>
    Math.max(...lines.map((line) => line[field].length));
  const [labels, figures, changes] = [width("label"), width("figure"), width("change")];
  const room = Math.min(MAX_BAR, (columns ?? 0) - labels - figures - changes - 9);
  const scale = room / Math.max(1, ...rows.map(({ count }) => count));

  return lines.map(({ label, figure, count, change }) => {
    // Every count except 0 gets a bar of at least one character.
    const shortest = count > 0 ? 1 : 0;
    const length = room < MIN_BAR ? 0 : Math.max(shortest, Math.round(count * scale));
    const bar = length > 0 ? style.cyan("█".repeat(length)) : "";
    const grown = changes > 0 ? `  ${style.green(change.padEnd(changes))}` : "";
    return `  ${label.padEnd(labels)}  ${figure.padStart(figures)}${grown}  ${bar}`.trimEnd() +
      "\n";
  }).join("");
}

const COLUMNS = ["generatedAt", "environment", "figure", "key", "count"];

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
  return stringify(rows, { header, columns: COLUMNS, escape_formulas: true });
}
