import type { StoredSignup } from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "./record.ts";
import type { SelfServiceUrls } from "./self_service_token.ts";

/** A record as the operator sees it, without what only the service needs. */
export function toStoredSignup(email: string, record: SignUpRecord): StoredSignup {
  const { id: _, confirmations: _sent, letters: _brake, linkAt: _link, outbox: _items, ...shown } =
    record;
  return { email, ...shown };
}

/** A person as an export has them: the record, and the link to the person's page. */
export function toExportedSignup(
  email: string,
  record: SignUpRecord,
  { placeUrl }: Pick<SelfServiceUrls, "placeUrl">,
): StoredSignup {
  return { ...toStoredSignup(email, record), placeUrl: placeUrl(record.lang, email, record.id) };
}
