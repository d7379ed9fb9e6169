/** Filters: the answers and the campaigns by which people are selected, for waves and for lists of people. @module */
import { CAMPAIGN_FIELDS } from "../../shared/campaigns.ts";

/** The names of the answers in a filter, and of the fields of a campaign. */
export const ANSWER_FILTERS = ["lang", "source", "role", "building", ...CAMPAIGN_FIELDS] as const;

/** The members by which a wave selects people. `referrals` is the least number of referrals that a person must have. */
export const FILTERS = [...ANSWER_FILTERS, "referrals"] as const;

/** The answers and the campaign of a person. In a filter, an absent member excludes nobody. */
export type AnswersAndCampaign = Partial<Record<typeof ANSWER_FILTERS[number], string | undefined>>;

/**
 * Whether a person's answers and campaign match a filter. The store compares the number of referrals, because the
 * record does not have this number.
 */
export function matchesFilter(person: AnswersAndCampaign, filter: AnswersAndCampaign): boolean {
  return ANSWER_FILTERS.every((name) =>
    filter[name] === undefined || filter[name] === person[name]
  );
}
