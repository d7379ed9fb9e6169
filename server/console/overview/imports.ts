/** How many people imports have brought since yesterday, which the chart shows on days in the past. @module */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import type { Fact } from "../components.ts";
import { pathWith } from "../forms.ts";
import { linesOf, type PageContext, PATHS } from "../page_context.ts";

/**
 * How many entries are read at most: those of the last import, and entries of any kind before it. The limit is low,
 * because this page is opened often and a day can have thousands of entries. A file of 500,000 rows makes 100 entries.
 */
const MAX_ENTRIES = 100;

/**
 * Returns how many people imports have added since a UTC day, with a link to the entries about these imports;
 * `undefined` if they have added nobody, or if the log cannot be read. If the log has more entries than are read, the
 * number has a plus sign. Reads nothing if there was no import since the day.
 */
export async function importedFact(
  { lastDone }: Pick<Overview, "lastDone">,
  since: string,
  pageContext: Pick<PageContext, "operations" | "texts" | "may" | "yieldToCalls">,
): Promise<Fact | undefined> {
  const { operations, texts, may } = pageContext;
  const lastImport = lastDone.import;
  if (lastImport === undefined || lastImport < since || !may("readAuditLog")) return undefined;
  const action = "importSignups";
  const before = new Date(Date.parse(lastImport) + 1).toISOString();
  const log = await operations.readAuditLog({ since, before, newest: MAX_ENTRIES });
  if ("failure" in log) return undefined;
  let count = 0;
  let isWhole = true;
  for (const line of await linesOf(log, pageContext)) {
    if ("complete" in line) isWhole = line.next === undefined;
    // An import that was cut before its first commit was counted has an entry without this number.
    else if (!("unreadable" in line) && line.action === action) {
      count += Number(line.details?.new ?? 0);
    }
  }
  if (count === 0) return undefined;
  const path = pathWith(PATHS.activity, { action, since });
  const number = `${texts.number(count)}${isWhole ? "" : "+"}`;
  return [texts.overview.figures.imported, markup`<a href="${path}">${number}</a>`];
}
