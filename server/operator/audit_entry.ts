import { base64url } from "jose";
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { Call } from "../http/operation.ts";
import type { OperatorDependencies } from "./operation.ts";

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
