/** Erasure marks: the keyed hashes that remain of erased addresses. @module */
import { createHash } from "node:crypto";

export const ERASURE_KEY_BYTES = 32;

/**
 * Makes the erasure marks that a lower-cased address can have, one with each erasure key. The first key is the store's
 * own, and the others come from restored backups. Only somebody with a key can find out whether an address was erased.
 *
 * The mark is the SHA-256 of key and address. HMAC would only add that nobody can compute the mark of a text that
 * continues the address, and such a text is no address.
 */
export function erasureMarks(keys: Uint8Array, email: string): string[] {
  return splitKeys(keys).map((key) => {
    return createHash("sha256").update(key).update(email).digest("base64url");
  });
}

/**
 * Joins two sequences of erasure keys, in which the bytes of each key follow those of the key before. Gives the keys of
 * `a`, and then the keys of `b` that `a` does not have.
 */
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
