/**
 * Encodes, hashes and compares short texts. Most functions reuse memory and hash states, because making new memory and
 * states for each call would take most of the time. The digests come from `@noble/hashes`: under load, what
 * `node:crypto` makes outside of JavaScript for a digest costs more than the hashing. @module
 */
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hash } from "@noble/hashes/utils.js";

/** The memory into which texts are encoded, in place of a new buffer for each call. */
const REUSED_BUFFER = Buffer.alloc(8_192);

const ENCODER = new TextEncoder();

/** Encodes a text in UTF-8. The caller must read the bytes before the next call, which may overwrite them. */
export function encodeUtf8(text: string): Uint8Array {
  if (!fits(text)) return ENCODER.encode(text);
  const { written } = ENCODER.encodeInto(text, REUSED_BUFFER);
  return new Uint8Array(REUSED_BUFFER.buffer, REUSED_BUFFER.byteOffset, written);
}

/** Encodes the UTF-8 bytes of a text as base64url without padding (RFC 4648 §5). */
export function encodeBase64url(text: string): string {
  if (!fits(text)) return Buffer.from(text).toString("base64url");
  return REUSED_BUFFER.toString("base64url", 0, REUSED_BUFFER.write(text));
}

/** Whether a text fits into {@linkcode REUSED_BUFFER}. UTF-8 needs at most three bytes for a UTF-16 code unit. */
const fits = (text: string): boolean => 3 * text.length <= REUSED_BUFFER.length;

/** The two constants of FNV-1a with 32 bits. */
const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Gives the FNV-1a hash of a text as a 32-bit number, which may be negative. The hash is made of the UTF-16 code units
 * of the text, not of bytes. It is fast, and not for secrets; the store uses it to look keys up in memory, and to
 * compare lists.
 * @param hash the hash of a text that comes before this text; the result is then the hash of both texts together
 */
export function hashText(text: string, hash = FNV_OFFSET_BASIS): number {
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash;
}

/**
 * Mixes the bits of a 32-bit number by the last step of MurmurHash3, so that similar numbers give different results.
 * Hash tables in memory need such results.
 */
export function mixBits(bits: number): number {
  const once = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  const twice = Math.imul(once ^ once >>> 13, 0xc2b2ae35);
  return twice ^ twice >>> 16;
}

/** A function that gives the digest of a text's UTF-8 bytes. */
export type Digest = (text: string) => Buffer;

/** Gives the SHA-256 of a text (FIPS 180-4). */
export const digestSha256: Digest = digestFrom(sha256.create());

/**
 * Makes the function that gives the HMAC-SHA-256 of texts with a key (RFC 2104).
 * @param prefix a text that is put before every text; it is hashed only once
 */
export function hmacSha256(key: Uint8Array, prefix = ""): Digest {
  return digestFrom(hmac.create(sha256, key).update(encodeUtf8(prefix)));
}

/**
 * Makes a digest function. Each call copies the state `beginning` into the reused `state`, and goes on from there.
 * `_cloneInto` copies without making a new state, as `clone` would.
 */
function digestFrom<State extends Hash<State>>(beginning: State): Digest {
  const state = beginning.clone();
  return (text) => {
    const digest = Buffer.allocUnsafe(beginning.outputLen);
    beginning._cloneInto(state).update(encodeUtf8(text)).digestInto(digest);
    return digest;
  };
}

/**
 * Whether two secrets or signatures are the same. The time of the check tells an attacker only whether their lengths
 * differ.
 */
export function isSameSecret(one: string, other: string): boolean {
  const oneBytes = Buffer.from(one);
  const otherBytes = Buffer.from(other);
  return oneBytes.length === otherBytes.length && timingSafeEqual(oneBytes, otherBytes);
}
