/**
 * Counts the people who can be invited, for the page "Invite": all of them, and those with each value that the menus of
 * the form offer. The counts for the menus are exact only if few people wait; otherwise they are counts of everybody on
 * the list, because no counter has the people who wait by their answers.
 * @module
 */
import { marksOf } from "../../../shared/counters.ts";
import type { Overview, StoredSignup } from "../../../shared/operator_schemas.ts";
import { MAX_LISTED } from "../../../shared/people_query.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { pathWith } from "../forms.ts";
import { countWaitingWithMark } from "../mark_figures.ts";
import { MAX_COUNTED_AT_ONCE, type PageContext, PATHS } from "../page_context.ts";

/** The menus of the form that have a number beside each value. */
export const COUNTED_MENUS = ["lang", "source", "role", "building"] as const;

/** The numbers beside the values of the menus. */
export interface MenuCounts {
  counts: Readonly<Record<typeof COUNTED_MENUS[number], Readonly<Record<string, number>>>>;
  /** How many people can be invited, which are those whom the numbers count; absent if these count the whole list. */
  invitable?: number;
}

/** Counts people for the menus: those who can be invited if few people wait, and otherwise everybody on the list. */
export async function countForMenus(
  pageContext: Pick<PageContext, "operations">,
  { states: { waiting }, byLang, bySource, byRole, byBuilding }: Overview,
): Promise<MenuCounts> {
  const people = waiting <= MAX_COUNTED_AT_ONCE ? await listInvitable(pageContext) : undefined;
  if (!people) {
    return { counts: { lang: byLang, source: bySource, role: byRole, building: byBuilding } };
  }
  const countBy = (name: typeof COUNTED_MENUS[number]) => {
    const counts: Record<string, number> = {};
    for (const { [name]: value } of people) {
      if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };
  return {
    counts: {
      lang: countBy("lang"),
      source: countBy("source"),
      role: countBy("role"),
      building: countBy("building"),
    },
    invitable: people.length,
  };
}

/** Lists the people who can be invited; `undefined` if they cannot be listed, or if they are too many for a page. */
async function listInvitable(
  { operations }: Pick<PageContext, "operations">,
): Promise<StoredSignup[] | undefined> {
  const people: StoredSignup[] = [];
  let after: { createdAt: string; email: string } | undefined;
  do {
    const page = await operations.listSignups({
      state: "waiting",
      limit: MAX_LISTED,
      withPlaceUrl: false,
      ...after && { after },
    });
    if ("failure" in page) return undefined;
    people.push(...page.people);
    after = page.next;
  } while (after && people.length < MAX_COUNTED_AT_ONCE);
  if (after) return undefined;
  return people.filter((person) => marksOf(person).length === 0);
}

/** Says how many people can be invited, and how many waiting people cannot be invited. */
export async function waitingPart(
  pageContext: PageContext,
  { states: { waiting } }: Overview,
  { invitable }: MenuCounts,
): Promise<Html> {
  const { texts } = pageContext;
  const { invite: labels } = texts;
  const path = pathWith(PATHS.people, { state: "waiting" });
  const marked = invitable !== undefined
    ? Math.max(0, waiting - invitable)
    : await countWaitingWithMark(pageContext);
  const lead = marked === undefined
    ? labels.waiting({ count: waiting })
    : labels.invitable({ count: waiting - marked });
  return markup`<p><a class="lead" href="${path}">${lead}</a></p>
${marked !== 0 && markup`<p class="soft">${describeMarked(marked, texts)}</p>`}`;
}

/** Says how many waiting people cannot be invited. @param count `undefined` if the number is not known */
function describeMarked(count: number | undefined, { invite: labels }: ConsoleTexts): string {
  if (count === undefined) return labels.someCannot;
  return count === 1 ? labels.oneCannot : labels.manyCannot({ count });
}
