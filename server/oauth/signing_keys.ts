/**
 * Keys that sign access tokens. One random root key is kept; each environment's key is derived from
 * it, so that no token of one environment can be valid in the other.
 *
 * @module
 */
import { hkdfSync } from "node:crypto";

/** A root key as it is kept. */
export interface RootKey {
  /** Named by the `kid` header of the tokens that it signs. */
  keyId: string;
  /** 256 random bits. */
  secret: Uint8Array;
  /** When it begins to sign, in milliseconds since 1970. */
  signsFrom: number;
}

/** A key that signs and verifies one environment's tokens by HS256. */
export interface SigningKey {
  keyId: string;
  /** 256 bits. */
  secret: Uint8Array;
}

/** The keys of one environment's tokens. */
export interface SigningKeys {
  /** The key that signs now. */
  signing: () => SigningKey;
  /** The key of that id, while it verifies. One that is yet to sign does: other clocks are ahead. */
  find: (keyId: string) => SigningKey | undefined;
  /**
   * Looks for keys that are not known yet, before a token of one is refused. At most one look a second is
   * made. Rejects where KV gives no answer; absent where there is nowhere to look.
   */
  lookAgain?: (() => Promise<void>) | undefined;
}

/** Derives an environment's key from a root key (HKDF, RFC 5869, with SHA-256). */
export function deriveSigningKey(root: RootKey, environment: string): SigningKey {
  const purpose = `waitlist access token ${environment}`;
  const secret = new Uint8Array(hkdfSync("sha256", root.secret, new Uint8Array(), purpose, 32));
  return { keyId: root.keyId, secret };
}
