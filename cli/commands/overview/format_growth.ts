/**
 * Formats the growth of the list by day or by week as tables.
 *
 * @module
 */
import { type GrowthStep, STEPS } from "../../../shared/counters.ts";
import { type GrowthRow, growthRows } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { LANGS, SOURCES } from "../../../shared/schemas.ts";
import { formatNumber, formatPercent, formatTable } from "../../format.ts";
import type { Style } from "../../print.ts";

/** The titles of the steps after a sign-up. The console also calls a letter that was taken an accepted e-mail. */
const STEP_TITLES: Record<GrowthStep, string> = {
  taken: "E-mail accepted",
  confirmed: "Confirmed",
  invited: "Invited",
  accepted: "Accepted",
};

/**
 * Formats the sign-ups by day or by week as a table, the newest first. For weeks, a second table shows how many of the
 * people who signed up in each week came to each of the next steps.
 */
export function formatGrowth(
  overview: Overview,
  { by, since, style }: { by: "day" | "week"; since: string; style: Style },
): string {
  const firstTitle = by === "week" ? "Week from" : "Day";
  const countTitles = [...LANGS, ...SOURCES].map((name) =>
    `${name[0]!.toUpperCase()}${name.slice(1)}`
  );
  const heading = [firstTitle, "Sign-ups", ...countTitles, "On the list"];
  const rows = growthRows(overview, { by, since }).toReversed().map(toGrowthRow);
  const table = formatTable(heading, rows, style);
  return by === "day" ? table : `${table}\n${formatSteps(overview, style)}`;
}

/** Makes a row with the counts of a day or of a week. A count that the service did not send is empty. */
function toGrowthRow({ since, added, byLang, bySource, people }: GrowthRow): string[] {
  return [
    since,
    formatNumber(added),
    ...LANGS.map((lang) => byLang ? formatNumber(byLang[lang] ?? 0) : ""),
    ...SOURCES.map((source) => bySource ? formatNumber(bySource[source] ?? 0) : ""),
    formatNumber(people),
  ];
}

/** Formats how many of the people who signed up in each week came to each of the next steps, with their share. */
function formatSteps({ weeks }: Overview, style: Style): string {
  const rows = weeks.toReversed().map(({ week, signedUp, ...counts }) => [
    week,
    formatNumber(signedUp),
    ...STEPS.map((step) =>
      `${formatNumber(counts[step])} ${formatPercent(counts[step], signedUp)}`.trimEnd()
    ),
  ]);
  const titles = STEPS.map((step) => STEP_TITLES[step]);
  return formatTable(["Week from", "Signed up", ...titles], rows, style);
}
