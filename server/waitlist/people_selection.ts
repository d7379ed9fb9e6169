/**
 * Whether a person fits a selection of people. Operators use selections to list and to export people, and to act on
 * them. @module
 */
import { marksOf, stepsOf } from "../../shared/counters.ts";
import type { PeopleSelection } from "../../shared/operator_schemas.ts";
import { type SignUpRecord, stateOf } from "./record.ts";
import { matchesFilter } from "./people_filter.ts";

/**
 * Whether a person fits a selection. The member `referrals` of the selection is ignored here. The store compares it,
 * because the record does not have the number of a person's referrals.
 */
export function fitsSelection(
  { email, record }: { email: string; record: SignUpRecord },
  selection: PeopleSelection,
): boolean {
  const { search = "", state, mark, wave, reached, since, before } = selection;
  return email.includes(search) &&
    (!state || stateOf(record) === state) &&
    (!mark || marksOf(record).includes(mark)) &&
    (wave === undefined || record.wave === wave && stepsOf(record).includes("invited")) &&
    (!reached || stepsOf(record).includes(reached)) &&
    (since === undefined || record.createdAt >= since) &&
    (before === undefined || record.createdAt < before) &&
    matchesFilter(record, selection);
}
