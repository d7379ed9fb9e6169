/** Keeps verified access tokens in memory. @module */
import { andThen, type Runtime } from "../runtime/mod.ts";
import type { AccessTokens, VerifiedToken } from "./access_tokens.ts";
import type { SigningKeys } from "./key_ring.ts";

/**
 * How many verified tokens are in memory at most. When there are more, the token that was verified first is deleted.
 */
const MAX_REMEMBERED = 1_000;

/**
 * Makes a function that verifies tokens and remembers valid tokens, because clients call often with the same token. The
 * function forgets a token when the token expires or when its key verifies no tokens any more.
 */
export function rememberTokens(
  verify: AccessTokens["verify"],
  { keys, now }: Pick<Runtime, "now"> & { keys: Pick<SigningKeys, "find"> },
): AccessTokens["verify"] {
  const rememberedTokens = new Map<string, VerifiedToken>();
  return (token) => {
    const rememberedToken = rememberedTokens.get(token);
    if (rememberedToken) {
      const { expiresAt, keyId } = rememberedToken;
      if (now() < expiresAt * 1000 && keys.find(keyId)) return rememberedToken;
      rememberedTokens.delete(token);
    }
    return andThen(verify(token), (verified) => {
      if (!verified) return undefined;
      const [oldest] = rememberedTokens.keys();
      if (oldest !== undefined && rememberedTokens.size >= MAX_REMEMBERED) {
        rememberedTokens.delete(oldest);
      }
      rememberedTokens.set(token, verified);
      return verified;
    });
  };
}
