import { stringify } from "csv-stringify/sync";
import type { WaitlistStats } from "../../shared/schemas.ts";

const COLUMNS = ["generatedAt", "environment", "figure", "key", "count"];

/** One line per figure; the maps' lines say their key. Later looks go on without the header. */
export function formatCsv(stats: WaitlistStats, { header }: { header: boolean }): string {
  const { generatedAt, environment, ...figures } = stats;
  const rows = Object.entries(figures).flatMap(([figure, value]) =>
    typeof value === "number"
      ? [[generatedAt, environment, figure, "", value]]
      : Object.entries(value).map(([key, count]) => [generatedAt, environment, figure, key, count])
  );
  // A key must not become a formula in the spreadsheet that opens it.
  return stringify(rows, { header, columns: COLUMNS, escape_formulas: true });
}
