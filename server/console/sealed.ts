/**
 * Encrypts what a URL of the console may not show: the id of a person, a search, an address. Only the server can read
 * a token, and only a page of a signed-in operator does. @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealer {
  /** Encrypts a text. The same text gives the same token, so that a page has one address. */
  seal: (text: string) => string;
  /** Decrypts a token; `undefined` for a text that `seal` has not made. */
  open: (token: string) => string | undefined;
}

/**
 * Makes what encrypts texts for one purpose by AES-256-GCM. The vector is a keyed hash of the text, as in RFC 5297
 * (SIV): a vector that is used again encrypts the same text again, so nothing can be learned from it.
 */
export function createSealer(key: Uint8Array, purpose: string): Sealer {
  const derive = (use: string) =>
    Buffer.from(hkdfSync("sha256", key, "", `console ${purpose} ${use}`, 32));
  const cipherKey = derive("text");
  const vectorKey = derive("vector");
  const vectorOf = (text: string) =>
    createHmac("sha256", vectorKey).update(text).digest().subarray(0, VECTOR_BYTES);

  return {
    seal(text) {
      const vector = vectorOf(text);
      const cipher = createCipheriv("aes-256-gcm", cipherKey, vector);
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([vector, cipher.getAuthTag(), encrypted]).toString("base64url");
    },
    open(token) {
      const bytes = Buffer.from(token, "base64url");
      // The decoder skips characters that are none of Base64, and a page has one address only.
      if (bytes.toString("base64url") !== token) return undefined;
      if (bytes.length < VECTOR_BYTES + TAG_BYTES) return undefined;
      const [vector, tag, encrypted] = [
        bytes.subarray(0, VECTOR_BYTES),
        bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES),
        bytes.subarray(VECTOR_BYTES + TAG_BYTES),
      ];
      const cipher = createDecipheriv("aes-256-gcm", cipherKey, vector);
      cipher.setAuthTag(tag);
      try {
        return Buffer.concat([cipher.update(encrypted), cipher.final()]).toString("utf8");
      } catch {
        // The token is not one of this service.
        return undefined;
      }
    },
  };
}
