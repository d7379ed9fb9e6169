/**
 * Hashing of short texts, as each token call needs it twice and each new source address once. What
 * `node:crypto` makes outside of JavaScript for a hash costs more under load than the hashing, and so
 * would a new state for each; here one state is used again and again.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hash } from "@noble/hashes/utils.js";
import { utf8 } from "./utf8.ts";

/** Gives the 32 bytes of a text's digest. */
export type Digest = (text: string) => Buffer;

/** SHA-256 of a text. */
export const digestSha256: Digest = digestFrom(sha256.create());

/**
 * Makes the function that gives a text's HMAC with SHA-256 under a key (RFC 2104).
 *
 * @param prefix what comes before every text
 */
export function hmacSha256(key: Uint8Array, prefix = ""): Digest {
  return digestFrom(hmac.create(sha256, key).update(utf8(prefix)));
}

/**
 * Makes every digest in one state, which `_cloneInto` sets back to its beginning; the library's PBKDF2
 * does the same.
 *
 * @param begun what every digest begins with; it stays as it is
 */
function digestFrom<State extends Hash<State>>(begun: State): Digest {
  const state = begun.clone();
  return (text) => {
    const digest = Buffer.allocUnsafe(begun.outputLen);
    begun._cloneInto(state).update(utf8(text)).digestInto(digest);
    return digest;
  };
}
