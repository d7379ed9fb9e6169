/** Makes an id that sorts by time, for a wave or a file: `2026-06-01-093000-123`. The service and the CLI name waves. */
export function momentId(now: number): string {
  return new Date(now).toISOString().replace("T", "-").replaceAll(":", "").replace(".", "-")
    .slice(0, -1);
}
