/** Finds the operator to whom a key belongs. @module */
import { timingSafeEqual } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import type { KeyHolder } from "../http/mod.ts";
import { digestSha256 } from "../runtime/mod.ts";

/**
 * Makes the function that finds the operator of an `Authorization: Bearer` header. It compares the digest of the given
 * key with the digests of all known keys. So the time of the check does not show how much of the key is right, how long
 * the right key is, or whose key it is.
 */
export function createKeyCheck(
  operators: Operator[],
): (authorization: string | null) => KeyHolder | undefined {
  const keys = operators.map(({ name, role, key }) => ({
    holder: { name, role },
    digest: digestSha256(key),
  }));
  return (authorization) => {
    const digestOfKey = digestSha256(/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
    return keys.filter(({ digest }) => timingSafeEqual(digestOfKey, digest))[0]?.holder;
  };
}
