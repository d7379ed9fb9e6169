/**
 * The form `StoredSignup`, in which the operator surface shows and exports records. Records have more members than this
 * form, and the additional members are only for the service itself. @module
 */
import type { StoredSignup } from "../../shared/operator_schemas.ts";
import type { Same } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";
import type { SelfServiceUrls } from "./self_service_urls.ts";

/** Gives a record in the form `StoredSignup`. Leaves out the members that only the service itself needs. */
export function toStoredSignup(email: string, record: SignUpRecord): StoredSignup {
  const {
    id: _id,
    confirmations: _confirmations,
    lastLetters: _lastLetters,
    corrections: _corrections,
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

/**
 * Gives a record in the form of an export: the form `StoredSignup`, and the link to the person's self-service page as
 * its member `placeUrl`.
 */
export function toExportedSignup(
  email: string,
  record: SignUpRecord,
  { pageUrl }: Pick<SelfServiceUrls, "pageUrl">,
): StoredSignup {
  return { ...toStoredSignup(email, record), placeUrl: pageUrl(record.lang, email, record.id) };
}
