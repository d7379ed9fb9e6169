/** Why a protected call is refused (contract, "Errors": 401 and 403 of stats). */
export type AccessFault = "unauthorized" | "invalid_token" | "insufficient_scope";

/**
 * Decides on a call by its `Authorization` header (RFC 6750 §2.1).
 *
 * @param verify gives a valid token's scopes, `undefined` for any other text
 * @returns the fault, or `undefined` where the call may go on
 */
export async function decideAccess(
  authorization: string | null,
  scope: string,
  verify: (token: string) => Promise<string[] | undefined>,
): Promise<AccessFault | undefined> {
  const token = /^bearer(?: +(.*))?$/i.exec(authorization ?? "");
  if (!token) return "unauthorized";
  const scopes = await verify(token[1] ?? "");
  if (!scopes) return "invalid_token";
  return scopes.includes(scope) ? undefined : "insufficient_scope";
}
