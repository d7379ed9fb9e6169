/**
 * Keys that sign access tokens. One random root key is kept; each environment's key is derived from
 * it, so that no token of one environment can be valid in the other.
 *
 * @module
 */

/** A root key as it is kept. */
export interface RootKey {
  /** Named by the `kid` header of the tokens that it signs. */
  keyId: string;
  /** 256 random bits. */
  secret: Uint8Array;
  /** When it begins to sign, in milliseconds since 1970. */
  signsFrom: number;
}

/** A key that signs and verifies one environment's tokens. */
export interface SigningKey {
  keyId: string;
  key: CryptoKey;
}

/** Derives an environment's HS256 key from a root key (HKDF, RFC 5869, with SHA-256). */
export async function deriveSigningKey(root: RootKey, environment: string): Promise<SigningKey> {
  const secret = await crypto.subtle.importKey(
    "raw",
    // A copy, as WebCrypto takes no view on memory that could be shared.
    new Uint8Array(root.secret),
    "HKDF",
    false,
    ["deriveKey"],
  );
  const key = await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode(`waitlist access token ${environment}`),
    },
    secret,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
  return { keyId: root.keyId, key };
}
