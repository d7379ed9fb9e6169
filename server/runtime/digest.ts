/** Encodes and digests short texts. Memory and hash states are used again, as to make them costs the most. @module */
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hash } from "@noble/hashes/utils.js";

const ROOM = Buffer.alloc(8_192);

const ENCODER = new TextEncoder();

/** Encodes a text in UTF-8. Read the bytes before the next call, which may write over them. */
export function utf8(text: string): Uint8Array {
  if (!fits(text)) return ENCODER.encode(text);
  return new Uint8Array(ROOM.buffer, ROOM.byteOffset, ENCODER.encodeInto(text, ROOM).written);
}

/** Encodes a text's UTF-8 as base64url without padding (RFC 4648 §5). */
export function encodeBase64url(text: string): string {
  if (!fits(text)) return Buffer.from(text).toString("base64url");
  return ROOM.toString("base64url", 0, ROOM.write(text));
}

/** Whether a text's UTF-8 fits into the memory: a UTF-16 code unit takes three bytes at the most. */
const fits = (text: string): boolean => 3 * text.length <= ROOM.length;

/** The hash FNV-1a of a text, or of a further one behind the text whose hash is given. */
export function hashText(text: string, hash = 0x811c9dc5): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Mixes 32 bits so that similar inputs give different outputs: the last step of MurmurHash3. */
export function mixBits(bits: number): number {
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return bits ^ bits >>> 16;
}

export type Digest = (text: string) => Buffer;

export const digestSha256: Digest = digestFrom(sha256.create());

/** Makes HMAC with SHA-256 under a key (RFC 2104). @param prefix is put before every text, and hashed only once */
export function hmacSha256(key: Uint8Array, prefix = ""): Digest {
  return digestFrom(hmac.create(sha256, key).update(utf8(prefix)));
}

/** Makes a function whose digests all begin with one state; `_cloneInto` sets another back to it each time. */
function digestFrom<State extends Hash<State>>(beginning: State): Digest {
  const state = beginning.clone();
  return (text) => {
    const digest = Buffer.allocUnsafe(beginning.outputLen);
    beginning._cloneInto(state).update(utf8(text)).digestInto(digest);
    return digest;
  };
}

/** Compares secrets or signatures in a time that tells nothing but their lengths. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
