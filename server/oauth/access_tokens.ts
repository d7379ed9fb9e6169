/** Issues and verifies access tokens, and decides whether a token allows a call (RFC 9068, RFC 6750). @module */
import { decodeProtectedHeader, jwtVerify } from "jose";
import {
  andThen,
  createRandomIds,
  encodeBase64url,
  hmacSha256,
  type MaybePromise,
  type Runtime,
  utf8,
} from "../runtime/mod.ts";
import { ACCESS_TOKEN_LIFETIME, type SigningKey, type SigningKeys } from "./key_ring.ts";
import type { Grant } from "./token_grant.ts";

/** The media type of access tokens, in the `typ` header (RFC 9068 §2.1). */
const TOKEN_TYPE = "at+jwt";

/** The number of characters of a `jti`. They have 132 random bits, so that no two tokens have the same `jti`. */
const TOKEN_ID_LENGTH = 22;

export interface VerifiedToken {
  scopes: string[];
  /** The moment at which the token expires, its claim `exp`, in seconds since 1970. */
  expiresAt: number;
  /** The id of the key that signed the token, its header `kid`. */
  keyId: string;
}

/**
 * The form of a compact JWT with a signature of 256 bits. It allows only one spelling of a token. Without it, `jose`
 * would also accept padding, spaces, and other last characters for the same bits (RFC 7515 §2, RFC 4648 §3.5).
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Issues and verifies the access tokens of one environment. */
export interface AccessTokens {
  /** Signs a JWT with the claims of RFC 9068 §2.2. */
  issue: (grant: Grant) => string;
  /** Verifies a token; gives `undefined` for an invalid one. Rejects if the key is unknown and KV does not answer. */
  verify: (token: string) => MaybePromise<VerifiedToken | undefined>;
}

export interface AccessTokenOptions extends Pick<Runtime, "now" | "random"> {
  /** The URL of the authorization server, for the claim `iss`. */
  issuer: string;
  /** The URL of the API, for the claim `aud`. */
  audience: string;
  keys: SigningKeys;
}

/**
 * Makes the functions that issue and verify access tokens, JWTs that are signed with HS256 (contract,
 * "Authentication"). The library `jose` verifies them, because a mistake in the verification would be dangerous.
 */
export function createAccessTokens(
  { issuer, audience, keys, now, random }: AccessTokenOptions,
): AccessTokens {
  const nextTokenId = createRandomIds({ length: TOKEN_ID_LENGTH, random });
  const fixedClaims = { iss: issuer, aud: audience };
  let signer: { key: SigningKey; sign: ReturnType<typeof jwtSigner> } | undefined;
  return {
    issue({ clientId, scopes }) {
      const key = keys.signing();
      if (signer?.key !== key) signer = { key, sign: jwtSigner(key, fixedClaims) };
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
        return { scopes, expiresAt: payload.exp ?? 0, keyId: key.keyId };
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Makes the function that signs claims with HS256 (RFC 7518 §3.2) as a compact JWT (RFC 7515 §3.1). It takes a fraction
 * of the time of `jose`, which waits for WebCrypto. Each call of the function needs at least one claim.
 *
 * @param fixedClaims the claims that all JWTs begin with, which are hashed only once
 */
export function jwtSigner(
  { keyId, secret }: SigningKey,
  fixedClaims: Record<string, unknown>,
): (claims: Record<string, unknown>) => string {
  const header = encodeBase64url(`{"alg":"HS256","typ":"${TOKEN_TYPE}","kid":"${keyId}"}`);
  const fixedJson = JSON.stringify(fixedClaims).slice(0, -1) + ",";
  const prefix = `${header}.${encodeBase64url(padToTriple(fixedJson))}`;
  const digest = hmacSha256(secret, prefix);
  return (claims) => {
    const rest = encodeBase64url(JSON.stringify(claims).slice(1));
    return `${prefix}${rest}.${digest(rest).toString("base64url")}`;
  };
}

/** Adds spaces, which JSON ignores, until the length is a multiple of three bytes, so that base64 adds no padding. */
const padToTriple = (json: string): string => json + " ".repeat((3 - utf8(json).length % 3) % 3);

/** Finds the key that signed a token. If the key is unknown, it reads the keys again, because the key may be new. */
async function findKey(keys: SigningKeys, token: string): Promise<SigningKey | undefined> {
  let keyId: string | undefined;
  try {
    keyId = decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
  if (typeof keyId !== "string") return undefined;
  const known = keys.find(keyId);
  if (known || !keys.reload) return known;
  await keys.reload();
  return keys.find(keyId);
}

/** The most verified tokens in memory. Beyond this number, the oldest token is deleted. */
const MAX_REMEMBERED = 1_000;

/**
 * Makes a function that verifies tokens and remembers valid tokens, because clients call often with the same token. It
 * forgets a token when the token expires or when its key verifies no tokens any more.
 */
export function rememberTokens(
  verify: AccessTokens["verify"],
  { keys, now }: Pick<Runtime, "now"> & { keys: Pick<SigningKeys, "find"> },
): AccessTokens["verify"] {
  const remembered = new Map<string, VerifiedToken>();
  return (token) => {
    const known = remembered.get(token);
    if (known) {
      if (now() < known.expiresAt * 1000 && keys.find(known.keyId)) return known;
      remembered.delete(token);
    }
    return andThen(verify(token), (verified) => {
      if (!verified) return undefined;
      const [oldest] = remembered.keys();
      if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
      remembered.set(token, verified);
      return verified;
    });
  };
}

/** Why a call is refused because of its token (contract, "Errors", 401 and 403 of stats). */
export type AccessFault = "unauthorized" | "invalid_token" | "insufficient_scope";

/**
 * Decides whether a call is allowed (RFC 6750 §2.1). Gives the fault; `undefined` for an allowed call.
 *
 * @param authorization the header `Authorization`
 * @param scope the scope that the call needs
 */
export function decideAccess(
  authorization: string | null,
  scope: string,
  verify: AccessTokens["verify"],
): MaybePromise<AccessFault | undefined> {
  const token = /^bearer(?: +(.*))?$/i.exec(authorization ?? "");
  if (!token) return "unauthorized";
  return andThen(verify(token[1] ?? ""), (verified) => {
    if (!verified) return "invalid_token";
    return verified.scopes.includes(scope) ? undefined : "insufficient_scope";
  });
}
