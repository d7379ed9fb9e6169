/** Finds the operator to whom a key belongs. @module */
import { timingSafeEqual } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import type { KeyHolder } from "../http/mod.ts";
import { digestSha256 } from "../runtime/mod.ts";

/**
 * Makes the function that finds the operator of an `Authorization: Bearer` header. It compares the digest of the key
 * with the digest of every known key, so that the time shows neither how much of a key is right, nor the length of a
 * key, nor whose key it is.
 */
export function createKeyCheck(
  operators: Operator[],
): (authorization: string | null) => KeyHolder | undefined {
  const known = operators.map(({ name, role, key }) => ({
    holder: { name, role },
    digest: digestSha256(key),
  }));
  return (authorization) => {
    const given = digestSha256(/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
    return known.filter(({ digest }) => timingSafeEqual(given, digest))[0]?.holder;
  };
}
