import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Call } from "../../http/mod.ts";
import type { OperatorDependencies } from "../operation.ts";

/** The random bytes of an entry's id, which distinguish entries of one millisecond. */
const ID_BYTES = 9;

/** Makes the entry that a call leaves in the audit log. */
export function auditEntry(
  action: string,
  { operator, requestId }: Pick<Call, "operator" | "requestId">,
  dependencies: Pick<OperatorDependencies, "now" | "random">,
): AuditEntry {
  return { ...newEntry(action, dependencies), ...(operator && { operator }), requestId };
}

/** Makes the entry of a call about some addresses; it names the address where there is only one. */
export async function auditEntryOf(
  emails: string[] | undefined,
  entry: AuditEntry,
  { store }: Pick<OperatorDependencies, "store">,
): Promise<AuditEntry> {
  const [email, ...others] = new Set(emails);
  if (email === undefined || others.length > 0) return entry;
  return { ...entry, address: await store.hashAddress(email) };
}

/** Makes an entry that belongs to no single call. */
export function newEntry(
  action: string,
  { now, random }: Pick<OperatorDependencies, "now" | "random">,
): AuditEntry {
  return {
    at: new Date(now()).toISOString(),
    id: base64url.encode(random(ID_BYTES)),
    action,
  };
}
