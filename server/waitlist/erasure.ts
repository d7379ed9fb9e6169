/** Erasure marks: the keyed hashes that remain of erased addresses. @module */
import { createHash } from "node:crypto";

/** The length of an erasure key, in bytes. */
export const ERASURE_KEY_BYTES = 32;

/**
 * Makes the erasure marks that a lower-cased address can have: one mark with each erasure key. The first key is the
 * store's own key, and the other keys come from restored backups. Only somebody with a key can find out whether an
 * address was erased.
 *
 * The mark is the SHA-256 of a text that consists of the key and the address. HMAC is not needed: it would only prevent
 * that somebody computes, from the mark of an address, the mark of a longer text that begins with the address and
 * padding. Such a text is no address.
 *
 * @param joinedKeys the erasure keys, one after the other, each of {@linkcode ERASURE_KEY_BYTES} bytes
 */
export function erasureMarksOf(joinedKeys: Uint8Array, email: string): string[] {
  return splitKeys(joinedKeys).map((key) => {
    return createHash("sha256").update(key).update(email).digest("base64url");
  });
}

/**
 * Adds erasure keys to other erasure keys. Both parameters and the result are joined keys: bytes in which the keys
 * follow each other. Gives the keys of `first`, and then those keys of `second` that `first` does not have.
 */
export function joinErasureKeys(first: Uint8Array, second: Uint8Array): Uint8Array {
  const keysOfFirst = splitKeys(first).map((key) => key.toString());
  const addedKeys = splitKeys(second).filter((key) => !keysOfFirst.includes(key.toString()));
  return new Uint8Array([...first, ...addedKeys.flatMap((key) => [...key])]);
}

/** Gives the single keys of joined keys. */
function splitKeys(joinedKeys: Uint8Array): Uint8Array[] {
  const keyCount = Math.ceil(joinedKeys.length / ERASURE_KEY_BYTES);
  return Array.from({ length: keyCount }, (_, index) => {
    return joinedKeys.subarray(index * ERASURE_KEY_BYTES, (index + 1) * ERASURE_KEY_BYTES);
  });
}
