/**
 * Formats the growth of the list by day or by week as tables.
 *
 * @module
 */
import { STEPS } from "../../../shared/counters.ts";
import { growthRows } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { LANGS, SOURCES } from "../../../shared/schemas.ts";
import { formatTable, type Style } from "../../print.ts";

/**
 * Formats the sign-ups by day or by week as a table, the newest first. By week, a second table shows how many people who
 * signed up in the week came to each of the next steps.
 */
export function formatGrowth(
  overview: Overview,
  { by, since, style }: { by: "day" | "week"; since: string; style: Style },
): string {
  const rows = growthRows(overview, { by, since }).toReversed().map((row) => [
    row.since,
    String(row.added),
    ...LANGS.map((lang) => row.byLang ? String(row.byLang[lang] ?? 0) : ""),
    ...SOURCES.map((source) => row.bySource ? String(row.bySource[source] ?? 0) : ""),
    String(row.people),
  ]);
  const first = by === "week" ? "WEEK FROM" : "DAY";
  const names = [...LANGS, ...SOURCES].map((name) => name.toUpperCase());
  const table = formatTable([first, "SIGN-UPS", ...names, "ON THE LIST"], rows, style);
  if (by === "day") return table;
  const weeks = overview.weeks.toReversed().map(({ week, signedUp, ...counts }) => [
    week,
    String(signedUp),
    ...STEPS.map((step) => `${counts[step]} (${percent(counts[step], signedUp)} %)`),
  ]);
  const steps = ["LETTER TAKEN", "CONFIRMED", "INVITED", "ACCEPTED"];
  return `${table}\n${formatTable(["WEEK FROM", "SIGNED UP", ...steps], weeks, style)}`;
}

const percent = (count: number, whole: number) => Math.round(100 * count / Math.max(1, whole));
