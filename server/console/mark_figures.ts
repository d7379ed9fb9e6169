/**
 * How many people get no e-mails, by the reason, with links to the lists of these people. The pages "Overview" and
 * "E-mails and events" show these figures for the whole list, and the page of a wave for the people of the wave.
 * @module
 */
import { type Mark, MARKS } from "../../shared/counters.ts";
import { MAX_LISTED } from "../../shared/people_query.ts";
import { markup } from "../content/mod.ts";
import { countLink, type Fact } from "./components.ts";
import { pathWith } from "./forms.ts";
import { type PageContext, PATHS } from "./page_context.ts";

/**
 * The size of the largest wave whose people are counted. One call of `listSignups` searches a wave of this size to the
 * end.
 */
const MAX_COUNTED = 1_000;

/** A wave, and how many people it has invited. */
interface CountedWave {
  wave: string;
  invited: number;
}

/**
 * Returns the figures. If a number is not known, the figure has only the link.
 * @param countedWave the wave whose people the figures are about; absent for everybody on the list
 */
export async function markFigures(
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
  countedWave?: CountedWave,
): Promise<Fact[]> {
  const { words } = texts;
  return await Promise.all(MARKS.map(async (mark): Promise<Fact> => {
    const label = words.marks[mark];
    const filters = { mark, ...countedWave && { wave: countedWave.wave } };
    const count = await countMarked(operations, mark, countedWave);
    if (count !== undefined) return [label, countLink(count, filters, texts)];
    const path = pathWith(PATHS.people, filters);
    return [
      label,
      markup`<a href="${path}" aria-label="${label}: ${words.show}">${words.show}</a>`,
    ];
  }));
}

/**
 * Counts the people with a mark: all of them by a counter, and those of a wave by a search. Returns `undefined` if the
 * wave is too large, or if the people cannot be counted.
 */
async function countMarked(
  operations: PageContext["operations"],
  mark: Mark,
  countedWave?: CountedWave,
): Promise<number | undefined> {
  if (countedWave && countedWave.invited > MAX_COUNTED) return undefined;
  const listPage = await operations.listSignups({
    mark,
    // For everybody on the list, only the counter is needed.
    ...countedWave ? { wave: countedWave.wave, limit: MAX_LISTED } : { limit: 1 },
    withPlaceUrl: false,
  });
  if ("failure" in listPage) return undefined;
  const { count, searched, next } = listPage;
  // A page after which the search goes on does not have everybody.
  return count ?? (next ? undefined : searched?.hits);
}
