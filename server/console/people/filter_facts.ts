/** Shows the filters by which an operator has selected people, as facts. `list_query.ts` reads the filters. @module */
import type { PeopleSelection } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import { type Fact, facts, nameIn, showTime } from "../components.ts";

/**
 * Shows the filters of a selection of people as facts. A selection without filters stands for everybody on the list.
 * @param hadSearch whether the selection had a search whose text the service has dropped
 */
export function selectionFacts(
  selection: PeopleSelection,
  texts: ConsoleTexts,
  hadSearch = false,
): Html {
  const filters = filterFacts(selection, texts, hadSearch);
  return filters.length > 0
    ? facts(filters)
    : markup`<p><strong>${texts.jobs.everybody}</strong></p>`;
}

/**
 * Lists the filters of a selection of people, each with its name and its value.
 * @param hadSearch whether the selection had a search whose text the service has dropped
 */
export function filterFacts(
  selection: PeopleSelection,
  texts: ConsoleTexts,
  hadSearch = false,
): Fact[] {
  const { people, words, invite, activity, jobs: labels, answers, number } = texts;
  const { search, state, lang, source, role, building, wave } = selection;
  const { since, before, reached, mark, refusedLetter, referrals } = selection;
  const filters: Fact[] = [
    [people.search, search ?? (hadSearch && labels.searchGone)],
    [words.fields.state, state && words.states[state]],
    [words.fields.lang, lang && words.langs[lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, role && nameIn(answers.role, role)],
    [words.fields.building, building && nameIn(answers.building, building)],
    ...CAMPAIGN_FIELDS.map((field): Fact => [words.fields[field], selection[field]]),
    [invite.wave, wave],
    [activity.since, since && showTime(since, texts)],
    [labels.before, before && showTime(before, texts)],
    [people.reached, reached && words.steps[reached]],
    [people.mark, mark && nameIn(invite.reasons, mark)],
    [words.letterRejected, refusedLetter && words.yes],
    [people.atLeastReferrals, referrals !== undefined && number(referrals)],
  ];
  return filters.filter(([, value]) => value);
}
