/**
 * Issues and verifies access tokens, and decides whether a token allows a call (RFC 9068, RFC 6750). `jwt_signer.ts`
 * signs tokens, and `remembered_tokens.ts` keeps verified tokens in memory. @module
 */
import { decodeProtectedHeader, jwtVerify } from "jose";
import { andThen, createRandomIds, type MaybePromise, type Runtime } from "../runtime/mod.ts";
import { createJwtSigner, type JwtSigner } from "./jwt_signer.ts";
import { ACCESS_TOKEN_LIFETIME, type SigningKey, type SigningKeys } from "./key_ring.ts";
import type { Grant } from "./token_grant.ts";

/** The media type of access tokens, in the `typ` header (RFC 9068 §2.1). */
const TOKEN_TYPE = "at+jwt";

/** The number of characters of a `jti`. They have 132 random bits, so that no two tokens have the same `jti`. */
const TOKEN_ID_LENGTH = 22;

/** What a verified token says. */
export interface VerifiedToken {
  scopes: string[];
  /** The moment at which the token expires, its claim `exp`, in seconds since 1970. */
  expiresAt: number;
  /** The id of the key that signed the token, its header `kid`. */
  keyId: string;
}

/**
 * The form of a compact JWT with a signature of 256 bits. This check allows only one spelling of each token, because
 * `jose` alone would also accept padding, spaces, and other last characters for the same bits (RFC 7515 §2, RFC 4648
 * §3.5).
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Issues and verifies the access tokens of one environment. */
export interface AccessTokens {
  /** Makes a token: a signed JWT with the claims of RFC 9068 §2.2. */
  issue: (grant: Grant) => string;
  /** Verifies a token; gives `undefined` for an invalid token. Rejects if its key is unknown and KV does not answer. */
  verify: (token: string) => MaybePromise<VerifiedToken | undefined>;
}

/** What {@linkcode createAccessTokens} needs. */
export interface AccessTokenOptions extends Pick<Runtime, "now" | "random"> {
  /** The URL of the authorization server, for the claim `iss`. */
  issuer: string;
  /** The URL of the API, for the claim `aud`. */
  audience: string;
  keys: SigningKeys;
}

/**
 * Makes the functions that issue and verify access tokens: JWTs with a signature by HS256 (contract, "Authentication").
 * The library `jose` verifies them, because a mistake in the verification would be dangerous.
 */
export function createAccessTokens(
  { issuer, audience, keys, now, random }: AccessTokenOptions,
): AccessTokens {
  const nextTokenId = createRandomIds({ length: TOKEN_ID_LENGTH, random });
  const fixedClaims = { iss: issuer, aud: audience };
  // The signer of the last token, and its key. A new signer is made when another key signs, as after a rotation.
  let signer: { key: SigningKey; sign: JwtSigner } | undefined;
  return {
    issue({ clientId, scopes }) {
      const key = keys.signing();
      if (signer?.key !== key) {
        signer = { key, sign: createJwtSigner({ key, type: TOKEN_TYPE, fixedClaims }) };
      }
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
        // Algorithm, type, issuer and audience are fixed here and never come from the token (RFC 8725 §3).
        const { payload } = await jwtVerify(token, key.secret, {
          algorithms: ["HS256"],
          typ: TOKEN_TYPE,
          issuer,
          audience,
          requiredClaims: ["exp", "iat", "sub"],
          currentDate: new Date(now()),
        });
        const scopes = typeof payload.scope === "string" ? payload.scope.split(" ") : [];
        // `exp` is present, because it is one of the required claims.
        return { scopes, expiresAt: payload.exp!, keyId: key.keyId };
      } catch {
        return undefined;
      }
    },
  };
}

/** Finds the key that signed a token. If the key is unknown, reads the keys of the store again. */
async function findKey(keys: SigningKeys, token: string): Promise<SigningKey | undefined> {
  let keyId: string | undefined;
  try {
    keyId = decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
  // `jose` does not check the type of `kid`, which the sender of a forged token chooses.
  if (typeof keyId !== "string") return undefined;
  const key = keys.find(keyId);
  if (key || !keys.reload) return key;
  await keys.reload();
  return keys.find(keyId);
}

/**
 * Why a call is refused: it has no token, or an invalid token, or a token without the needed scope (contract, "Errors",
 * 401 and 403 of stats).
 */
export type AccessFault = "unauthorized" | "invalid_token" | "insufficient_scope";

/**
 * Decides by the token of a call whether the call is allowed (RFC 6750 §2.1).
 *
 * @param authorization the header `Authorization`
 * @param scope the scope that the call needs
 * @returns why the call is refused; `undefined` for an allowed call
 */
export function decideAccess(
  authorization: string | null,
  scope: string,
  verify: AccessTokens["verify"],
): MaybePromise<AccessFault | undefined> {
  const bearer = /^bearer(?: +(.*))?$/i.exec(authorization ?? "");
  if (!bearer) return "unauthorized";
  const [, token = ""] = bearer;
  return andThen(verify(token), (verified) => {
    if (!verified) return "invalid_token";
    return verified.scopes.includes(scope) ? undefined : "insufficient_scope";
  });
}
