/**
 * Encrypts what a URL of the console must not show: the id of a person, a search, an e-mail address. Only the server
 * can decrypt a token, and it does so only for signed-in operators. @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

/** The lengths of AES-256-GCM's initialization vector and authentication tag, in bytes (NIST SP 800-38D). */
const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts the tokens of one purpose. */
export interface UrlTokens {
  /** Encrypts a text as Base64url. The same text gives the same token, so that a page keeps its URL. */
  encrypt: (text: string) => string;
  /** Returns the text of a token, or `undefined` for a token that `encrypt` has not made. */
  decrypt: (token: string) => string | undefined;
}

/**
 * Makes the tokens of one purpose with AES-256-GCM. The initialization vector is a keyed hash of the text, as in RFC
 * 5297 (SIV). A vector is therefore used again only for the same text, so that tokens show only how long their texts
 * are, and which texts are equal.
 *
 * @param key at least 32 bytes
 * @param purpose what the tokens are for; a token that was made for another purpose is refused
 */
export function createUrlTokens(key: Uint8Array, purpose: string): UrlTokens {
  const derive = (use: string) =>
    Buffer.from(hkdfSync("sha256", key, "", `console ${purpose} ${use}`, 32));
  const cipherKey = derive("text");
  const vectorKey = derive("vector");
  const vectorOf = (text: string) =>
    createHmac("sha256", vectorKey).update(text).digest().subarray(0, VECTOR_BYTES);

  return {
    encrypt(text) {
      const vector = vectorOf(text);
      const cipher = createCipheriv("aes-256-gcm", cipherKey, vector);
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([vector, cipher.getAuthTag(), encrypted]).toString("base64url");
    },
    decrypt(token) {
      const bytes = Buffer.from(token, "base64url");
      // Buffer ignores characters that are not Base64. A token with such characters is refused, so that a page has only
      // one URL.
      if (bytes.toString("base64url") !== token) return undefined;
      if (bytes.length < VECTOR_BYTES + TAG_BYTES) return undefined;
      const vector = bytes.subarray(0, VECTOR_BYTES);
      const tag = bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES);
      const encrypted = bytes.subarray(VECTOR_BYTES + TAG_BYTES);
      const cipher = createDecipheriv("aes-256-gcm", cipherKey, vector);
      cipher.setAuthTag(tag);
      try {
        return Buffer.concat([cipher.update(encrypted), cipher.final()]).toString("utf8");
      } catch {
        // The tag does not fit, because somebody has changed the token, or because the token was made with another key.
        return undefined;
      }
    },
  };
}
