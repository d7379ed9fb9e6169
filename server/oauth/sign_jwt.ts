import { Buffer } from "node:buffer";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { SigningKey } from "./signing_keys.ts";

/** Signs claims: gives the compact serialization of a JWT (RFC 7515 §3.1). */
export type SignJwt = (claims: Record<string, unknown>) => string;

/**
 * Makes the function that signs JWTs of a type with a key, by HS256 (RFC 7518 §3.2).
 *
 * A token costs what its signature costs. `jose` awaits WebCrypto; `node:crypto` makes a dozen buffers
 * outside of JavaScript for each HMAC, whose allocation under load is dearer than the hashing. Here the
 * key is hashed once, and a signature begins with a copy of that.
 *
 * @param type the `typ` header
 */
export function jwtSigner({ keyId, secret }: SigningKey, type: string): SignJwt {
  const header = base64url(`{"alg":"HS256","typ":"${type}","kid":"${keyId}"}`);
  const keyed = hmac.create(sha256, secret);
  const mac = keyed.clone();
  const signature = Buffer.alloc(mac.outputLen);
  return (claims) => {
    const input = `${header}.${base64url(JSON.stringify(claims))}`;
    keyed._cloneInto(mac).update(Buffer.from(input)).digestInto(signature);
    return `${input}.${signature.toString("base64url")}`;
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
