import type { Style } from "./style.ts";

/** Rows under a heading, their columns aligned; no line ends in spaces. */
export function formatTable(heading: string[], rows: string[][], style: Style): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (row: string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [style.bold(line(heading)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}
