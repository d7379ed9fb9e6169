/**
 * The form in which operators see records: `StoredSignup`, the schema `Signup` of the contract. The store keeps another
 * form, the `SignUpRecord`, whose additional members are only for the service itself. @module
 */
import type { StoredSignup } from "../../shared/operator_schemas.ts";
import type { Same } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";
import type { SelfServiceUrls } from "./self_service_urls.ts";

/** Gives a record as operators see it. Leaves out the members that only the service itself needs. */
export function toOperatorSignup(email: string, record: SignUpRecord): StoredSignup {
  const {
    id: _id,
    confirmations: _confirmations,
    lastLetters: _lastLetters,
    corrections: _corrections,
    imported: _imported,
    letters: _letters,
    linkAt: _linkAt,
    invitationTakenAt: _invitationTakenAt,
    countedAsOther: _countedAsOther,
    referrerId: _referrerId,
    pendingReferral: _pendingReferral,
    outbox: _outbox,
    recount: _recount,
    ...shown
  } = record;
  // This line does not compile if a new member of records is neither in `StoredSignup` nor in the list above. Without
  // this line, the compiler would accept the member, and the operator surface would show it.
  true satisfies Same<Exclude<keyof typeof shown, keyof StoredSignup>, never>;
  return { email, ...shown };
}

/** Gives a record as operators see it, with the link to the person's self-service page as the member `placeUrl`. */
export function toOperatorSignupWithLink(
  email: string,
  record: SignUpRecord,
  { pageUrl }: Pick<SelfServiceUrls, "pageUrl">,
): StoredSignup {
  return { ...toOperatorSignup(email, record), placeUrl: pageUrl(record.lang, email, record.id) };
}
