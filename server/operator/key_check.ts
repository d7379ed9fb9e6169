/** Finds the operator to whom a key belongs. @module */
import { timingSafeEqual } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import type { AuthenticatedOperator } from "../http/mod.ts";
import { digestSha256 } from "../runtime/mod.ts";

/**
 * Makes the function that finds the operator of an `Authorization: Bearer` header. It compares the digest of the given
 * key with the digests of all known keys. So the time of the check does not show how much of the key is right, how long
 * the right key is, or whose key it is.
 */
export function createKeyCheck(
  operators: Operator[],
): (authorization: string | null) => AuthenticatedOperator | undefined {
  const knownKeys = operators.map(({ name, role, key }) => ({
    operator: { name, role },
    digest: digestSha256(key),
  }));
  return (authorization) => {
    const key = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
    const digestOfKey = digestSha256(key);
    // `find()` is not used, because it would stop at the right key.
    const [match] = knownKeys.filter(({ digest }) => timingSafeEqual(digestOfKey, digest));
    return match?.operator;
  };
}
