/** Shows people and their letters to operators. What an operator sees of a person depends on the role. @module */
import type * as Schemas from "../../shared/operator_schemas.ts";
import { mayCall } from "../../shared/roles.ts";
import type { AddressedRecord, PeopleStore, StoredLetter } from "../store/people/mod.ts";
import { type SelfServiceUrls, toExportedSignup, toStoredSignup } from "../waitlist/mod.ts";
import type { Caller } from "./operation.ts";

/** Whether a caller may export the waitlist. */
export const mayExport = ({ operator }: Caller): boolean => mayCall(operator.role, "exportSignups");

/** What {@linkcode showPeople} needs besides the caller and the people. */
export interface ShowNeeds extends Pick<PeopleStore, "readReferrals"> {
  /** Makes the links to the self-service pages of people. If `undefined`, people are shown without these links. */
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl"> | undefined;
}

/**
 * Gives people as the caller's role may see them. If the role may not export the list, people have no codes and no
 * links.
 */
export async function showPeople(
  caller: Caller,
  people: AddressedRecord[],
  { readReferrals, selfServiceUrls }: ShowNeeds,
): Promise<Schemas.StoredSignup[]> {
  const referrals = await readReferrals(people.map(({ record }) => record));
  const shownPeople = people.map(({ email, record }, index) => ({
    ...selfServiceUrls
      ? toExportedSignup(email, record, selfServiceUrls)
      : toStoredSignup(email, record),
    ...referrals[index],
    id: record.id,
  }));
  return mayExport(caller) ? shownPeople : shownPeople.map(withoutCodesAndLinks);
}

/** Leaves out the codes and the links of a person. */
function withoutCodesAndLinks(
  {
    invitationCode: _invitationCode,
    referralCode: _referralCode,
    referredBy: _referredBy,
    placeUrl: _placeUrl,
    ...others
  }: Schemas.StoredSignup & { placeUrl?: string },
): Schemas.StoredSignup {
  return others;
}

/** Adds the state to a letter from the log of letters: the kind of its report, "taken" or "refused". */
export function describeLetter(letter: StoredLetter): Schemas.LoggedLetter {
  const state = letter.report?.kind ?? (letter.takenAt ? "taken" : "refused");
  return { state, ...letter };
}
