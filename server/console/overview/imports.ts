/** How many people imports have brought since yesterday, which the chart shows on days in the past. @module */
import { markup } from "../../content/mod.ts";
import type { Fact } from "../components.ts";
import { pathWith } from "../forms.ts";
import { linesOf, type PageContext, PATHS } from "../page_context.ts";

/** How many entries about imports are read at most. The operation looks at no more than 2,000 entries of any kind. */
const MAX_ENTRIES = 1_000;

/**
 * Returns how many people imports have added since a UTC day, with a link to the entries about these imports;
 * `undefined` if they have added nobody, or if the log cannot be read. If the log has more entries than are read, the
 * number has a plus sign.
 */
export async function importedFact(
  since: string,
  pageContext: Pick<PageContext, "operations" | "texts" | "may" | "yieldToCalls">,
): Promise<Fact | undefined> {
  const { operations, texts, may } = pageContext;
  if (!may("readAuditLog")) return undefined;
  const action = "importSignups";
  const log = await operations.readAuditLog({ action, since, newest: MAX_ENTRIES });
  if ("failure" in log) return undefined;
  let count = 0;
  let isWhole = true;
  for (const line of await linesOf(log, pageContext)) {
    if ("complete" in line) isWhole = line.next === undefined;
    // An import that was cut before its first commit was counted has an entry without this number.
    else if (!("unreadable" in line)) count += Number(line.details?.new ?? 0);
  }
  if (count === 0) return undefined;
  const path = pathWith(PATHS.activity, { action, since });
  const number = `${texts.number(count)}${isWhole ? "" : "+"}`;
  return [texts.overview.figures.imported, markup`<a href="${path}">${number}</a>`];
}
