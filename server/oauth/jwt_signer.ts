import { Buffer } from "node:buffer";
import { hmacSha256 } from "../digest.ts";
import type { SigningKey } from "./signing_keys.ts";

/** Signs claims: gives the compact serialization of a JWT (RFC 7515 §3.1). */
export type SignJwt = (claims: Record<string, unknown>) => string;

/**
 * Makes the function that signs JWTs of a type with a key, by HS256 (RFC 7518 §3.2). Signing with `jose`
 * takes several times as long, as it awaits WebCrypto.
 *
 * @param type the `typ` header
 */
export function jwtSigner({ keyId, secret }: SigningKey, type: string): SignJwt {
  const header = base64url(`{"alg":"HS256","typ":"${type}","kid":"${keyId}"}`) + ".";
  const digest = hmacSha256(secret, header);
  return (claims) => {
    const payload = base64url(JSON.stringify(claims));
    return `${header}${payload}.${digest(payload).toString("base64url")}`;
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
