import { hmacSha256 } from "../digest.ts";
import { base64url, utf8 } from "../utf8.ts";
import type { SigningKey } from "./signing_keys.ts";

/** Claims of a JWT, one with a value at the least. */
type Claims = Record<string, unknown>;

/** Signs claims: gives the compact serialization of a JWT (RFC 7515 §3.1). */
export type SignJwt = (claims: Claims) => string;

/**
 * Makes the function that signs JWTs of a type with a key, by HS256 (RFC 7518 §3.2). Signing with `jose`
 * takes several times as long, as it awaits WebCrypto.
 *
 * @param options.type the `typ` header
 * @param options.common the claims that every JWT has, and that are not given again to sign: they come
 * first, and are encoded and hashed only once
 */
export function jwtSigner(
  { keyId, secret }: SigningKey,
  { type, common }: { type: string; common: Claims },
): SignJwt {
  const header = base64url(`{"alg":"HS256","typ":"${type}","kid":"${keyId}"}`);
  const opening = JSON.stringify(common).slice(0, -1) + ",";
  const begun = `${header}.${base64url(toWholeTriples(opening))}`;
  const digest = hmacSha256(secret, begun);
  return (claims) => {
    const rest = base64url(JSON.stringify(claims).slice(1));
    return `${begun}${rest}.${digest(rest).toString("base64url")}`;
  };
}

/** Adds spaces, which JSON passes over, so that base64 can go on behind the text (RFC 4648 §4). */
function toWholeTriples(json: string): string {
  return json + " ".repeat((3 - utf8(json).length % 3) % 3);
}
