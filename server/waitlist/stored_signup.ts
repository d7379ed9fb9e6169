/** The form `StoredSignup`, in which the operator surface shows and exports records. @module */
import type { StoredSignup } from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "./record.ts";
import type { SelfServiceUrls } from "./self_service_urls.ts";

/**
 * Gives a record in the form `StoredSignup` of the operator surface. Leaves out the members that only the service itself
 * needs, such as the numbers of letters.
 */
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
