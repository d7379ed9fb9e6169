/**
 * The form with the filters and the order of the list of people. `list_query.ts` reads what the operator has chosen in
 * this form. @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import { button, checkbox, field, postForm } from "../forms.ts";
import { countsOf } from "../outbox/mod.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { answerFilter, campaignFields, filterField, waveField } from "../person_fields.ts";
import type { ListQuery } from "./list_query.ts";
import { downloadButton } from "./selection_buttons.ts";

/** The form, filled in with the filters and the order of the shown list. */
export function filterForm(
  listQuery: ListQuery,
  suggestions: FilterSuggestions,
  pageContext: PageContext,
): Html {
  const { texts } = pageContext;
  const { people: labels, words } = texts;
  const searchAttributes =
    markup` type="search" minlength="3" maxlength="254" value="${listQuery.search}"
 autocapitalize="none" spellcheck="false"`;
  const answerMenu = (question: "role" | "building") =>
    answerFilter(
      question,
      { answer: listQuery[question], otherAnswers: suggestions[question] },
      texts,
    );
  const order = listQuery.isOldestFirst ? "oldest" : "newest";
  const orderMenu = select({ name: "order", label: labels.order, chosen: order }, [
    ["newest", labels.newest],
    ["oldest", labels.oldest],
  ]);
  const open = hasMoreFilters(listQuery) && markup` open`;
  return postForm(
    // Without `autocomplete="off"`, a browser that goes back to an earlier list would show the later choices.
    { action: PATHS.people, attributes: markup` class="filters" autocomplete="off"` },
    markup`${
      field("search", {
        label: labels.search,
        attributes: searchAttributes,
        hint: labels.searchHint,
      })
    }
${filterField("state", { words, chosen: listQuery.state })}
${filterField("lang", { words, chosen: listQuery.lang })}
${answerMenu("role")}
${answerMenu("building")}
${orderMenu}
<details${open}><summary>${labels.moreFilters}</summary>
<div class="filters">
${moreFilters(listQuery, suggestions, texts)}
</div></details>
${button(words.show, "primary")}
${downloadButton(pageContext)}`,
  );
}

/**
 * What the fields suggest: all roles and use cases (`building`), the counted campaigns, and the newest waves. Also has
 * the numbers that are read together with them.
 */
export interface FilterSuggestions {
  role: string[];
  building: string[];
  campaigns: Overview["campaigns"];
  waveIds: string[];
  /**
   * Returns how many people are looked at to count those who fit the filters, at most: the people of the wave, those in
   * the state, or everybody on the list; `Infinity` if this cannot be read.
   */
  countLookedAt: (filters: Pick<ListQuery, "wave" | "mark" | "state" | "reached">) => number;
  /** How many e-mails and events are in the list of those that were rejected; 0 if this cannot be read. */
  rejectedCount: number;
  /** How many e-mails and events wait to be sent; 0 if this cannot be read. */
  waitingCount: number;
  /** Whether anybody on the list is unconfirmed; `true` if this cannot be read. */
  hasUnconfirmed: boolean;
}

/** Reads what the fields suggest. A field whose values cannot be read suggests nothing. */
export async function readSuggestions({ operations }: PageContext): Promise<FilterSuggestions> {
  const [overview, waveList] = await Promise.all([
    operations.getOverview({}),
    operations.listWaves({}),
  ]);
  const { byRole = {}, byBuilding = {}, campaigns } = "failure" in overview ? {} : overview;
  const waves = "failure" in waveList ? [] : waveList.waves;
  const counts = "failure" in overview ? undefined : countsOf(overview);
  return {
    rejectedCount: counts?.refused ?? 0,
    waitingCount: counts?.waiting ?? 0,
    hasUnconfirmed: "failure" in overview || overview.states.unconfirmed > 0,
    role: Object.keys(byRole),
    building: Object.keys(byBuilding),
    campaigns,
    waveIds: waves.map(({ wave }) => wave),
    countLookedAt: ({ wave, mark, state, reached }) => {
      const waveReport = wave ? waves.find((report) => report.wave === wave) : undefined;
      if (waveReport) return waveReport.invited;
      if ("failure" in overview) return Infinity;
      const { states, total } = overview;
      // With a mark, the people with the mark are looked at, in any state. The overview does not have their number.
      if (wave || mark) return total;
      if (state) return states[state];
      if (reached === "invited") return states.invited + states.accepted;
      return reached === "accepted" ? states.accepted : total;
    },
  };
}

/** The fields that the page hides until the operator opens them. */
function moreFilters(
  listQuery: ListQuery,
  suggestions: FilterSuggestions,
  texts: ConsoleTexts,
): Html {
  const { people: labels, words, activity, invite } = texts;
  const { source, wave, since, until, reached, mark, refusedLetter, referrals } = listQuery;
  const campaigns = campaignFields(texts, {
    valueOf: (name) => listQuery[name],
    counts: suggestions.campaigns,
  });
  const { undeliverable, complained } = invite.reasons;
  const marks = [["", words.all], ...Object.entries({ undeliverable, complained })] as const;
  const steps = [["", words.all], ...Object.entries(words.steps)] as const;
  const referralsAttributes = markup` type="number" min="1" step="1" value="${referrals}"`;
  return markup`${filterField("source", { words, chosen: source })}
${campaigns}
${waveField(wave, suggestions.waveIds, texts)}
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${select({ name: "reached", label: labels.reached, chosen: reached }, steps)}
${select({ name: "mark", label: labels.mark, chosen: mark }, marks)}
${checkbox("refusedLetter", { label: words.letterRejected, checked: refusedLetter })}
${field("referrals", { label: labels.atLeastReferrals, attributes: referralsAttributes })}`;
}

/** Whether one of the fields of {@linkcode moreFilters} has a value. The page then shows these fields at once. */
function hasMoreFilters(listQuery: ListQuery): boolean {
  const { source, wave, mark, refusedLetter, referrals, reached, since, until } = listQuery;
  const campaigns = CAMPAIGN_FIELDS.map((name) => listQuery[name]);
  return [source, wave, mark, refusedLetter, referrals, reached, since, until, ...campaigns].some(
    Boolean,
  );
}
