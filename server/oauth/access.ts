import { andThen, type MaybePromise } from "../maybe_promise.ts";
import type { AccessTokens } from "./access_tokens.ts";

/** Why a protected call is refused (contract, "Errors": 401 and 403 of stats). */
export type AccessFault = "unauthorized" | "invalid_token" | "insufficient_scope";

/**
 * Decides on a call by its `Authorization` header (RFC 6750 §2.1).
 *
 * @returns the fault, or `undefined` where the call may go on
 */
export function decideAccess(
  authorization: string | null,
  scope: string,
  verify: AccessTokens["verify"],
): MaybePromise<AccessFault | undefined> {
  const token = /^bearer(?: +(.*))?$/i.exec(authorization ?? "");
  if (!token) return "unauthorized";
  return andThen(verify(token[1] ?? ""), (verified) => {
    if (!verified) return "invalid_token";
    return verified.scopes.includes(scope) ? undefined : "insufficient_scope";
  });
}
