import { timingSafeEqual } from "node:crypto";
import { digestSha256 } from "../digest.ts";

/**
 * Makes the check of the `Authorization: Bearer` header against the operator key. Digests are compared,
 * in constant time, so that the time tells neither how much of a key is right nor how long it is.
 */
export function createKeyCheck(key: string): (authorization: string | null) => boolean {
  const digest = digestSha256(key);
  return (authorization) => {
    const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
    return timingSafeEqual(digestSha256(given), digest);
  };
}
