/**
 * Whether a person fits a selection of people. Operators list and export the people who fit a selection, and act on
 * these people. @module
 */
import { marksOf, stepsOf } from "../../shared/counters.ts";
import type { PeopleSelection } from "../../shared/operator_schemas.ts";
import { type SignUpRecord, stateOf } from "./record.ts";
import { matchesFilter } from "./people_filter.ts";

/**
 * Whether a person fits a selection. The member `referrals` of the selection is ignored here. The store compares the
 * number of referrals, because the record does not have this number.
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
