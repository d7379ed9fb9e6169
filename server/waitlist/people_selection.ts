/** Whether a person fits a selection, by which operators list and export people and act on them. @module */
import { marksOf, stepsOf } from "../../shared/counters.ts";
import type { PeopleSelection } from "../../shared/operator_schemas.ts";
import { type SignUpRecord, stateOf } from "./record.ts";
import { matchesFilter } from "./waves.ts";

/**
 * Whether a person fits all members of a selection but `referrals`. The record does not hold the number of referrals, so
 * the store compares it.
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
