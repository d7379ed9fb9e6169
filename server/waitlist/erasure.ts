/** What is kept of an erased address: its mark, a keyed hash. @module */
import { createHash } from "node:crypto";

export const ERASURE_KEY_BYTES = 32;

/**
 * Makes the marks that a lower-cased address can have, one with each key: the store's own, and those of backups. A mark
 * tells who was erased only to those who know the key, and the address. An HMAC would prevent that a hash is extended
 * without the key; here, an extended hash marks a text that is no address.
 */
export function erasureMarks(keys: Uint8Array, email: string): string[] {
  return splitKeys(keys).map((key) => {
    return createHash("sha256").update(key).update(email).digest("base64url");
  });
}

/** Joins the keys of `a` and, behind them, the keys of `b` that `a` does not have. */
export function joinErasureKeys(a: Uint8Array, b: Uint8Array): Uint8Array {
  const own = splitKeys(a).map((key) => key.toString());
  const further = splitKeys(b).filter((key) => !own.includes(key.toString()));
  return new Uint8Array([...a, ...further.flatMap((key) => [...key])]);
}

function splitKeys(keys: Uint8Array): Uint8Array[] {
  const count = Math.ceil(keys.length / ERASURE_KEY_BYTES);
  return Array.from({ length: count }, (_, index) => {
    return keys.subarray(index * ERASURE_KEY_BYTES, (index + 1) * ERASURE_KEY_BYTES);
  });
}
