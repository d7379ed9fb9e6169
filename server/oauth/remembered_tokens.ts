import { andThen } from "../maybe_promise.ts";
import type { AccessTokens, VerifiedToken } from "./access_tokens.ts";
import type { SigningKeys } from "./signing_keys.ts";

/** Tokens that are remembered at the most; past it, the one remembered longest is forgotten. */
const REMEMBER_AT_MOST = 1_000;

/** What tokens are remembered with. */
export interface RememberTokensOptions {
  keys: Pick<SigningKeys, "find">;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/**
 * Remembers the tokens that `verify` finds valid, each by its whole text and until it expires or its key
 * retires, so that a client that polls pays for one signature check a token. What is not valid is not
 * remembered.
 */
export function rememberTokens(
  verify: AccessTokens["verify"],
  { keys, now }: RememberTokensOptions,
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
      if (oldest !== undefined && remembered.size >= REMEMBER_AT_MOST) remembered.delete(oldest);
      remembered.set(token, verified);
      return verified;
    });
  };
}
