import { whenThere } from "../soon.ts";
import type { AccessTokens, VerifiedToken } from "./access_tokens.ts";

/** Tokens that are remembered at the most; past it, the one remembered longest is forgotten. */
const REMEMBER_AT_MOST = 1_000;

/**
 * Remembers the tokens that `verify` finds valid, each by its whole text and until it expires, so that
 * a client that polls pays for one signature check a token. What is not valid is not remembered.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function rememberTokens(
  verify: AccessTokens["verify"],
  now: () => number,
): AccessTokens["verify"] {
  const remembered = new Map<string, VerifiedToken>();
  return (token) => {
    const known = remembered.get(token);
    if (known) {
      if (now() < known.expiresAt * 1000) return known;
      remembered.delete(token);
      return undefined;
    }
    return whenThere(verify(token), (verified) => {
      if (!verified) return undefined;
      const [oldest] = remembered.keys();
      if (oldest !== undefined && remembered.size >= REMEMBER_AT_MOST) remembered.delete(oldest);
      remembered.set(token, verified);
      return verified;
    });
  };
}
