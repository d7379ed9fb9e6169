/** Access tokens: how they are issued and verified, and which calls they allow. @module */
import { decodeProtectedHeader, jwtVerify } from "jose";
import { andThen, createRandomIds, encodeBase64url, hmacSha256 } from "../runtime/mod.ts";
import { type MaybePromise, type Runtime, utf8 } from "../runtime/mod.ts";
import { ACCESS_TOKEN_LIFETIME, type SigningKey, type SigningKeys } from "./key_ring.ts";
import type { Grant } from "./token_grant.ts";

/** The media type of the tokens, in their `typ` header (RFC 9068 §2.1). */
const TOKEN_TYPE = "at+jwt";

/** Characters of a `jti`: 132 random bits, so that no two tokens have the same one. */
const TOKEN_ID_LENGTH = 22;

export interface VerifiedToken {
  scopes: string[];
  /** `exp`: seconds since 1970. */
  expiresAt: number;
  keyId: string;
}

/** `jose` also accepts padding, spaces, or another last character for the same bits (RFC 7515 §2, RFC 4648 §3.5). */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Issues and verifies the access tokens of one environment. */
export interface AccessTokens {
  /** Signs a JWT with the claims of RFC 9068 §2.2. */
  issue: (grant: Grant) => string;
  /** Gives `undefined` for an invalid token. Rejects where the token names an unknown key and KV does not answer. */
  verify: (token: string) => MaybePromise<VerifiedToken | undefined>;
}

/** JWTs signed with HS256 (contract, "Authentication"). `jose` verifies them, as mistakes there are dangerous. */
export function createAccessTokens(
  { issuer, audience, keys, now, random }: Pick<Runtime, "now" | "random"> & {
    issuer: string;
    audience: string;
    keys: SigningKeys;
  },
): AccessTokens {
  const nextTokenId = createRandomIds({ length: TOKEN_ID_LENGTH, random });
  const common = { iss: issuer, aud: audience };
  let signer: { key: SigningKey; sign: ReturnType<typeof jwtSigner> } | undefined;
  return {
    issue({ clientId, scopes }) {
      const key = keys.signing();
      if (signer?.key !== key) signer = { key, sign: jwtSigner(key, common) };
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
        // The token's own header and claims decide nothing (RFC 8725 §3.1, §3.8, §3.9, §3.11).
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
 * Makes the function that signs claims, at least one, by HS256 (RFC 7518 §3.2) as a compact JWT (RFC 7515 §3.1);
 * `jose` takes several times as long, as it waits for WebCrypto.
 * @param common the claims that every JWT has: they come first, are hashed only once, and are not given to sign
 */
export function jwtSigner({ keyId, secret }: SigningKey, common: Record<string, unknown>) {
  const header = encodeBase64url(`{"alg":"HS256","typ":"${TOKEN_TYPE}","kid":"${keyId}"}`);
  const commonJson = JSON.stringify(common).slice(0, -1) + ",";
  const prefix = `${header}.${encodeBase64url(padToTriple(commonJson))}`;
  const digest = hmacSha256(secret, prefix);
  return (claims: Record<string, unknown>): string => {
    const rest = encodeBase64url(JSON.stringify(claims).slice(1));
    return `${prefix}${rest}.${digest(rest).toString("base64url")}`;
  };
}

/** Adds spaces, which JSON ignores, so that base64 of the next text can follow directly (RFC 4648 §4). */
const padToTriple = (json: string): string => json + " ".repeat((3 - utf8(json).length % 3) % 3);

/** An unknown key may be new, so the keys are read again. */
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

/** The most tokens that are remembered; beyond it, the oldest is forgotten. */
const MAX_REMEMBERED = 1_000;

/** Makes a `verify` that remembers valid tokens until they expire or their keys retire, for clients that poll. */
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

/** Why a call without a fitting token is refused (contract, "Errors": 401 and 403 of stats). */
export type AccessFault = "unauthorized" | "invalid_token" | "insufficient_scope";

/** Decides on a call by its `Authorization` header (RFC 6750 §2.1); gives the fault, if there is one. */
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
