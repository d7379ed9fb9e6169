import { base64url, jwtVerify, SignJWT } from "jose";
import type { RandomBytes } from "./clients.ts";
import type { SigningKey } from "./signing_keys.ts";
import type { Grant } from "./token_grant.ts";

/** How long an access token is valid, in seconds (contract, "Limits"). */
export const ACCESS_TOKEN_LIFETIME = 900;

/** The media type of the tokens, in their `typ` header (RFC 9068 §2.1). */
const TOKEN_TYPE = "at+jwt";

/**
 * What a token looks like. `jose` also takes a signature that is padded, broken by spaces, or written
 * with another last character for the same bits (RFC 7515 §2, RFC 4648 §3.5).
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Issues and verifies the access tokens of one environment. */
export interface AccessTokens {
  /** Signs a token: a JWT with the claims that decisions, "Tokens" lists. */
  issue(grant: Grant): Promise<string>;
  /** The scopes of a valid token; `undefined` for any other text. */
  verify(token: string): Promise<string[] | undefined>;
}

/** What an environment's tokens are made with. */
export interface AccessTokenOptions {
  /** `iss`: the environment's base URL. */
  issuer: string;
  /** `aud`: the environment's API. */
  audience: string;
  /** The key that signs at this moment, and the ones that verify. */
  keys: { signing: () => SigningKey; find: (keyId: string) => SigningKey | undefined };
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
}

/** Makes the tokens of an environment: JWTs signed with HS256 (contract, "Authentication"). */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { issuer, audience, keys, now, random } = options;
  return {
    issue({ clientId, scopes }) {
      const { keyId, key } = keys.signing();
      const issuedAt = Math.floor(now() / 1000);
      const claims = { client_id: clientId, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: TOKEN_TYPE, kid: keyId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_LIFETIME)
        .setJti(base64url.encode(random(16)))
        .sign(key);
    },

    async verify(token) {
      if (!COMPACT_JWT.test(token)) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = kid === undefined ? undefined : keys.find(kid);
            if (!key) throw new Error("The token names no key of this service");
            return key.key;
          },
          // Nothing is left to what the token says of itself (RFC 8725 §3.1, §3.8, §3.9, §3.11).
          {
            algorithms: ["HS256"],
            typ: TOKEN_TYPE,
            issuer,
            audience,
            requiredClaims: ["exp", "iat", "sub"],
            currentDate: new Date(now()),
          },
        );
        return typeof payload.scope === "string" ? payload.scope.split(" ") : [];
      } catch {
        return undefined;
      }
    },
  };
}
