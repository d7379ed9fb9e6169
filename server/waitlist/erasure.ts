import { createHash } from "node:crypto";

/**
 * What is kept of an erased address: a keyed hash in base64url, which names nobody to those who do not
 * know the address, and the key besides.
 *
 * The key goes before the address into one SHA-256; what an HMAC prevents, extending a hash, would only
 * mark what is no address.
 *
 * @param email lower-cased
 */
export function erasureMark(key: Uint8Array, email: string): string {
  return createHash("sha256").update(key).update(email).digest("base64url");
}

/** How long a key is, in bytes. */
export const ERASURE_KEY_BYTES = 32;

/**
 * The marks that an address can have: one by each key, the first of which is the store's own; the rest
 * came with restored backups.
 *
 * @param keys keys of {@linkcode ERASURE_KEY_BYTES} one behind the other
 * @param email lower-cased
 */
export function erasureMarks(keys: Uint8Array, email: string): string[] {
  return splitKeys(keys).map((key) => erasureMark(key, email));
}

/** The keys of `a` and, behind them, those of `b` that are not among them. */
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
