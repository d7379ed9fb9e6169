import { quotable } from "../../shared/api_failure.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { formatBars } from "./bars.ts";
import type { Style } from "./style.ts";

/** How statistics are shown. */
export interface StatsTextOptions {
  /** What to show the change since. */
  start: WaitlistStats | undefined;
  style: Style;
  /** The terminal's width; `undefined` shows no bars. */
  columns: number | undefined;
}

const TOTALS = { total: "Total", last7Days: "Last 7 days", last30Days: "Last 30 days" } as const;

const MAPS = {
  byLang: "By language",
  byRole: "By role",
  byBuilding: "By use case",
  bySource: "By form",
} as const;

/** The statistics for people: totals, and a bar for each key of the maps. */
export function formatStats(stats: WaitlistStats, options: StatsTextOptions): string {
  const { start, style, columns } = options;
  const moment = quotable(stats.generatedAt).replace(/^(.+)T([\d:]+).*$/, "$1 $2 UTC");
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
        change: start && count - (start[figure][key] ?? 0),
      }));
    const lines = rows.length > 0
      ? formatBars(rows, { style, columns })
      : style.dim("  nobody yet\n");
    return `\n${style.bold(title)}\n${lines}`;
  });
  return `${style.bold("Waitlist statistics")}, ${stats.environment}, ${moment}\n\n` +
    formatBars(totals, { style, columns: undefined }) + maps.join("");
}
