import { decodeProtectedHeader, jwtVerify } from "jose";
import { createRandomIds } from "../random_ids.ts";
import type { MaybePromise } from "../maybe_promise.ts";
import type { RandomBytes } from "./clients.ts";
import { jwtSigner, type SignJwt } from "./jwt_signer.ts";
import type { SigningKey, SigningKeys } from "./signing_keys.ts";
import type { Grant } from "./token_grant.ts";

/** How long an access token is valid, in seconds (contract, "Limits"). */
export const ACCESS_TOKEN_LIFETIME = 900;

/** The media type of the tokens, in their `typ` header (RFC 9068 §2.1). */
const TOKEN_TYPE = "at+jwt";

/** Characters of a `jti`, which is never given twice: 132 random bits. */
const TOKEN_ID_LENGTH = 22;

/** What a valid token allows, and until when. */
export interface VerifiedToken {
  scopes: string[];
  /** `exp`: seconds since 1970. */
  expiresAt: number;
  /** The key that verified it. */
  keyId: string;
}

/**
 * What a token looks like. `jose` also takes a signature that is padded, broken by spaces, or written
 * with another last character for the same bits (RFC 7515 §2, RFC 4648 §3.5).
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Issues and verifies the access tokens of one environment. */
export interface AccessTokens {
  /** Signs a token: a JWT with the claims that decisions, "Tokens" lists. */
  issue: (grant: Grant) => string;
  /**
   * What a valid token allows; `undefined` for any other text. Rejects where the token names a key that is
   * not known, and KV cannot be asked for it.
   */
  verify: (token: string) => MaybePromise<VerifiedToken | undefined>;
}

/** What an environment's tokens are made with. */
export interface AccessTokenOptions {
  /** `iss`: the environment's base URL. */
  issuer: string;
  /** `aud`: the environment's API. */
  audience: string;
  keys: SigningKeys;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
}

/**
 * Makes the tokens of an environment: JWTs signed with HS256 (contract, "Authentication"). Verifying,
 * where mistakes are dangerous, is left to `jose`.
 */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { issuer, audience, keys, now } = options;
  const nextTokenId = createRandomIds({ length: TOKEN_ID_LENGTH, random: options.random });
  const common = { iss: issuer, aud: audience };
  let signer: { key: SigningKey; sign: SignJwt } | undefined;
  return {
    issue({ clientId, scopes }) {
      const key = keys.signing();
      if (signer?.key !== key) signer = { key, sign: jwtSigner(key, { type: TOKEN_TYPE, common }) };
      const issuedAt = Math.floor(now() / 1000);
      return signer.sign({
        sub: clientId,
        client_id: clientId,
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
        iat: issuedAt,
        exp: issuedAt + ACCESS_TOKEN_LIFETIME,
        jti: nextTokenId(),
      });
    },

    async verify(token) {
      if (!COMPACT_JWT.test(token)) return undefined;
      const key = await findKey(keys, token);
      if (!key) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          key.secret,
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
        const scopes = typeof payload.scope === "string" ? payload.scope.split(" ") : [];
        return { scopes, expiresAt: payload.exp ?? 0, keyId: key.keyId };
      } catch {
        return undefined;
      }
    },
  };
}

/** The key that a token names; a key that is not known may be new, so that it is looked for once more. */
async function findKey(keys: SigningKeys, token: string): Promise<SigningKey | undefined> {
  let keyId: string | undefined;
  try {
    keyId = decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
  if (typeof keyId !== "string") return undefined;
  const known = keys.find(keyId);
  if (known || !keys.lookAgain) return known;
  await keys.lookAgain();
  return keys.find(keyId);
}
