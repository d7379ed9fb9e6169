/**
 * Encodes, digests and signs short texts, several times in a token call. Memory and hash states are used again, as
 * under load their making costs more than the work itself. @module
 */
import { Buffer } from "node:buffer";
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
export function base64url(text: string): string {
  if (!fits(text)) return Buffer.from(text).toString("base64url");
  return ROOM.toString("base64url", 0, ROOM.write(text));
}

/** Whether a text's UTF-8 fits into the memory: a UTF-16 code unit takes three bytes at the most. */
function fits(text: string): boolean {
  return 3 * text.length <= ROOM.length;
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

/** Signs claims, at least one, and gives the compact serialization of the JWT (RFC 7515 §3.1). */
export type SignJwt = (claims: Record<string, unknown>) => string;

/**
 * Makes the function that signs JWTs by HS256 (RFC 7518 §3.2); `jose` takes several times as long, as it waits for
 * WebCrypto.
 * @param options.common the claims that every JWT has: they come first, are hashed only once, and are not given to
 * sign
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
