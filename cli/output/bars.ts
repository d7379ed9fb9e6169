import type { Style } from "./style.ts";

const MAX_BAR = 40;
const MIN_BAR = 4;

/** One count. */
export interface Row {
  label: string;
  count: number;
  /** How much it has grown since the start; shown when it has. */
  change: number | undefined;
}

/**
 * Counts under each other, with bars of the same scale where there is room.
 *
 * @param options.columns the terminal's width; `undefined` shows no bars
 */
export function formatBars(
  rows: Row[],
  { style, columns }: { style: Style; columns: number | undefined },
): string {
  const lines = rows.map(({ label, count, change }) => ({
    label,
    count,
    figure: count.toLocaleString("en-US"),
    change: change ? `${change > 0 ? "+" : "−"}${Math.abs(change).toLocaleString("en-US")}` : "",
  }));
  const width = (field: "label" | "figure" | "change") =>
    Math.max(...lines.map((line) => line[field].length));
  const [labels, figures, changes] = [width("label"), width("figure"), width("change")];
  const room = Math.min(MAX_BAR, (columns ?? 0) - labels - figures - changes - 9);
  const scale = room / Math.max(1, ...rows.map(({ count }) => count));

  return lines.map(({ label, figure, count, change }) => {
    // A count that is not zero has a bar, however small.
    const bar = room < MIN_BAR
      ? ""
      : style.cyan("█".repeat(Math.max(count > 0 ? 1 : 0, Math.round(count * scale))));
    const grown = changes > 0 ? `  ${style.green(change.padEnd(changes))}` : "";
    return `  ${label.padEnd(labels)}  ${figure.padStart(figures)}${grown}  ${bar}`.trimEnd() +
      "\n";
  }).join("");
}
