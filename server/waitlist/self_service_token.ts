/**
 * The tokens in links to the self-service page. A token is the person's address and record id, encrypted as a JWE (RFC
 * 7516, `dir`, `A256GCM`) and written as letters and digits. `self_service_urls.ts` makes the links. @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv } from "node:crypto";
import { base64url, compactDecrypt } from "jose";
import { hmacSha256 } from "../runtime/mod.ts";
import { decodeAlphanumeric, encodeAlphanumeric } from "./alphanumeric.ts";
import { RECORD_ID_LENGTH } from "./record.ts";

/** The length of a key by which tokens are made and read, in bytes. */
export const SELF_SERVICE_KEY_BYTES = 32;

/** The person to whom a self-service page belongs. */
export interface SelfServiceOwner {
  email: string;
  /** The id of the person's record. */
  id: string;
}

/** The protected header of the JWE. It is the same for every token, and is therefore not a part of tokens. */
const HEADER = base64url.encode('{"alg":"dir","enc":"A256GCM"}');

/** The additional authenticated data of the encryption: the protected header (RFC 7516 §5.1). */
const AUTHENTICATED_DATA = Buffer.from(HEADER);

/** The length of the initialization vector, in bytes. */
const VECTOR_BYTES = 12;

/** The length of the authentication tag, in bytes. */
const TAG_BYTES = 16;

/** The greatest length of a text that is read as a token, in characters. A token for the longest address is shorter. */
const MAX_TOKEN_LENGTH = 1_024;

/**
 * Makes the function that makes tokens. The same address and record id always give the same token, because the
 * initialization vector is a keyed hash of the token's content. The hash is cut to 96 bits, so different contents have
 * the same vector only with a negligible probability. The function is synchronous to save time, because an export makes
 * a token for each person.
 *
 * @param key a key of {@linkcode SELF_SERVICE_KEY_BYTES} bytes
 */
export function createSelfServiceTokenMaker(key: Uint8Array): (owner: SelfServiceOwner) => string {
  const digest = hmacSha256(key, "initialization vector ");
  return ({ email, id }) => {
    const content = id + email;
    const vector = digest(content).subarray(0, VECTOR_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, vector);
    cipher.setAAD(AUTHENTICATED_DATA);
    const encrypted = [cipher.update(content, "utf8"), cipher.final()];
    return encodeAlphanumeric(Buffer.concat([vector, ...encrypted, cipher.getAuthTag()]));
  };
}

/** Decrypts a token that was made with one of the keys; gives `undefined` for any other text. */
export async function readSelfServiceToken(
  token: string,
  keys: readonly Uint8Array[],
): Promise<SelfServiceOwner | undefined> {
  const compact = compactFormOf(token);
  if (compact === undefined) return undefined;
  for (const key of keys) {
    try {
      const { plaintext } = await compactDecrypt(compact, key, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
      });
      const content = new TextDecoder().decode(plaintext);
      return { id: content.slice(0, RECORD_ID_LENGTH), email: content.slice(RECORD_ID_LENGTH) };
    } catch {
      // An error means that another key may have made the token. The loop tries the next key.
    }
  }
}

/**
 * Gives a token in the compact serialization of a JWE (RFC 7516 §7.1), `header..vector.content.tag`; `undefined` for a
 * text that is no token.
 *
 * A token has no header and no dots, because mail programs that find a URL in plain text end the URL at `..`. Older
 * links have the compact serialization itself as their token.
 */
function compactFormOf(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  if (token.startsWith(`${HEADER}..`)) return isCanonical(token) ? token : undefined;
  const bytes = decodeAlphanumeric(token);
  if (!bytes || bytes.length < VECTOR_BYTES + TAG_BYTES) return undefined;
  const parts = [
    bytes.subarray(0, VECTOR_BYTES),
    bytes.subarray(VECTOR_BYTES, -TAG_BYTES),
    bytes.subarray(-TAG_BYTES),
  ];
  // The part for the encrypted key is empty, because the algorithm `dir` sends no key (RFC 7516 §5.1).
  return [HEADER, "", ...parts.map((part) => part.toString("base64url"))].join(".");
}

/**
 * Whether each part of a compact serialization is the usual base64url of its bytes. A different text can stand for the
 * same bytes, because decoding ignores some bits of the last character. Such a text is refused, because no text but the
 * token itself may be accepted.
 */
function isCanonical(compact: string): boolean {
  try {
    const canonical = compact.split(".").map((part) => base64url.encode(base64url.decode(part)));
    return canonical.join(".") === compact;
  } catch {
    return false;
  }
}
