import type { RecountReport } from "../../shared/operator_schemas.ts";
import { quotable } from "../../shared/api_failure.ts";
import type { Style } from "../output/style.ts";
import { formatTable } from "../output/table.ts";

/** The differences under each other, nothing where there are none. */
export function formatDifferences({ differences }: RecountReport, style: Style): string {
  if (differences.length === 0) return "";
  const rows = differences.map(({ counter, kept, recounted }) => [
    quotable(counter, 60),
    String(kept),
    String(recounted),
  ]);
  return formatTable(["Counter", "Kept", "Recounted"], rows, style);
}

/** What was recounted, and how far it holds. */
export function formatBasis({ records, changed, exact }: RecountReport): string {
  const noun = records === 1 ? "record" : "records";
  const recounted = `Recounted ${records.toLocaleString("en")} ${noun}`;
  if (changed === 0) return `${recounted}; none changed meanwhile.\n`;
  const meanwhile = `${changed.toLocaleString("en")} changed meanwhile`;
  return exact
    ? `${recounted}; ${meanwhile}, which is allowed for.\n`
    : `${recounted}; ${meanwhile}.\n`;
}
