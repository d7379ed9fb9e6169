const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Draws counts as a line of bars; only a count of 0 has the lowest one. */
export function sparkline(counts: number[]): string {
  const scale = (LEVELS.length - 1) / Math.max(1, ...counts);
  return counts.map((count) => LEVELS[Math.ceil(count * scale)]).join("");
}
