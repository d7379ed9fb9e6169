/**
 * How many people get no e-mails, by the reason, with links to the lists of these people. The pages "Overview" and
 * "E-mails and events" show these figures for the whole list, and the page of a wave for the people of the wave. The
 * page "Invite" shows how many of those who wait cannot be invited for these reasons.
 * @module
 */
import { type Mark, MARKS } from "../../shared/counters.ts";
import { MAX_LISTED } from "../../shared/people_query.ts";
import { markup } from "../content/mod.ts";
import { countLink, type Fact } from "./components.ts";
import { pathWith } from "./forms.ts";
import { MAX_COUNTED_AT_ONCE, type PageContext, PATHS } from "./page_context.ts";

/** The wave whose people the figures are about. */
interface WaveOfFigures {
  wave: string;
  /** Whether the people are counted. A count of a large wave, or of a wave that grows, would delay the page. */
  isCounted: boolean;
}

/**
 * Returns the figures. If a number is not known, the figure has only the link.
 * @param waveOfFigures absent for figures about everybody on the list
 */
export async function markFigures(
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
  waveOfFigures?: WaveOfFigures,
): Promise<Fact[]> {
  const { words } = texts;
  return await Promise.all(MARKS.map(async (mark): Promise<Fact> => {
    const label = words.marks[mark];
    const filters = { mark, ...waveOfFigures && { wave: waveOfFigures.wave } };
    const count = waveOfFigures?.isCounted === false
      ? undefined
      : await countMarked(operations, filters);
    if (count !== undefined) return [label, countLink(count, filters, texts)];
    const path = pathWith(PATHS.people, filters);
    return [
      label,
      markup`<a href="${path}" aria-label="${label}: ${words.show}">${words.show}</a>`,
    ];
  }));
}

/**
 * Counts the people with a mark: all of them by a counter, and those of a wave one by one. Returns `undefined` if
 * the people cannot be counted.
 */
async function countMarked(
  operations: PageContext["operations"],
  filters: { mark: Mark; wave?: string },
): Promise<number | undefined> {
  const part = await operations.countSignups(filters);
  return "failure" in part || part.next ? undefined : part.count;
}

/**
 * Counts the people who wait and cannot be invited, because they have a mark. Returns `undefined` if too many people
 * have marks to count those who wait among them for a page, or if the people cannot be counted.
 */
export async function countWaitingWithMark(
  { operations }: Pick<PageContext, "operations">,
): Promise<number | undefined> {
  const totals = await Promise.all(MARKS.map((mark) => countMarked(operations, { mark })));
  const total = totals.reduce<number>((sum, count) => sum + (count ?? Infinity), 0);
  if (total > MAX_COUNTED_AT_ONCE) return undefined;
  if (total === 0) return 0;
  const state = "waiting";
  const undeliverable = await operations.countSignups({ state, mark: "undeliverable" });
  // People with both marks are counted once, so those with the other mark are looked at one by one.
  const complained = await operations.listSignups({
    state,
    mark: "complained",
    limit: MAX_LISTED,
    withPlaceUrl: false,
  });
  if ("failure" in undeliverable || undeliverable.next) return undefined;
  if ("failure" in complained || complained.next) return undefined;
  const others = complained.people.filter((person) => !person.undeliverableAt);
  return undeliverable.count + others.length;
}
