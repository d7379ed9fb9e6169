/**
 * Encodes, digests and signs short texts: every token call does it several times, and every new client
 * address once. Under load, memory or a hash object of `node:crypto` for each text costs more than the
 * work itself, so memory and hash states are used again here.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hash } from "@noble/hashes/utils.js";

/** Memory for the texts of a token call; a longer text gets memory of its own. */
const ROOM = Buffer.alloc(8_192);

const ENCODER = new TextEncoder();

/**
 * Encodes a text in UTF-8. Read the bytes before the next call of a function of this file, which may
 * write over them.
 */
export function utf8(text: string): Uint8Array {
  if (!fits(text)) return ENCODER.encode(text);
  return new Uint8Array(ROOM.buffer, ROOM.byteOffset, ENCODER.encodeInto(text, ROOM).written);
}

/** Encodes a text's UTF-8 as base64url without padding (RFC 4648 §5). */
export function base64url(text: string): string {
  if (!fits(text)) return Buffer.from(text).toString("base64url");
  return ROOM.toString("base64url", 0, ROOM.write(text));
}

/** Whether a text's UTF-8 fits into the memory: a UTF-16 code unit takes three bytes at the most. */
function fits(text: string): boolean {
  return 3 * text.length <= ROOM.length;
}

/** Gives the 32 bytes of a text's digest. */
export type Digest = (text: string) => Buffer;

/** SHA-256 of a text. */
export const digestSha256: Digest = digestFrom(sha256.create());

/**
 * Makes the function that gives a text's HMAC with SHA-256 under a key (RFC 2104).
 *
 * @param prefix text that is put before every text, and hashed only once
 */
export function hmacSha256(key: Uint8Array, prefix = ""): Digest {
  return digestFrom(hmac.create(sha256, key).update(utf8(prefix)));
}

/**
 * Makes a function whose digests all begin with one state, and use another one in turn: `_cloneInto` sets that back to
 * the beginning, as in the library's own PBKDF2.
 */
function digestFrom<State extends Hash<State>>(beginning: State): Digest {
  const state = beginning.clone();
  return (text) => {
    const digest = Buffer.allocUnsafe(beginning.outputLen);
    beginning._cloneInto(state).update(utf8(text)).digestInto(digest);
    return digest;
  };
}

/**
 * Signs claims, of which at least one has a value, and gives the compact serialization of the JWT (RFC 7515 §3.1).
 */
export type SignJwt = (claims: Record<string, unknown>) => string;

/**
 * Makes the function that signs JWTs with a key by HS256 (RFC 7518 §3.2). `jose` takes several times as
 * long, as it waits for WebCrypto.
 *
 * @param options.type the `typ` header
 * @param options.common the claims that every JWT has. They come first, and are encoded and hashed only
 * once; do not give them again to sign.
 */
export function jwtSigner(
  { keyId, secret }: { keyId: string; secret: Uint8Array },
  { type, common }: { type: string; common: Record<string, unknown> },
): SignJwt {
  const header = base64url(`{"alg":"HS256","typ":"${type}","kid":"${keyId}"}`);
  const commonJson = JSON.stringify(common).slice(0, -1) + ",";
  const prefix = `${header}.${base64url(padToTriple(commonJson))}`;
  const digest = hmacSha256(secret, prefix);
  return (claims) => {
    const rest = base64url(JSON.stringify(claims).slice(1));
    return `${prefix}${rest}.${digest(rest).toString("base64url")}`;
  };
}

/** Adds spaces, which JSON ignores, so that base64 of the next text can follow directly (RFC 4648 §4). */
function padToTriple(json: string): string {
  return json + " ".repeat((3 - utf8(json).length % 3) % 3);
}
