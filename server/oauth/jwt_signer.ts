/** Signs access tokens as compact JWTs, under load. @module */
import { base64url, hmacSha256, utf8 } from "../runtime/mod.ts";

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
