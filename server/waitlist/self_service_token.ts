/**
 * The token in the link to a person's page: address and record's id, encrypted (JWE, `dir`, `A256GCM`). It is the JWE's
 * initialization vector, ciphertext and tag as letters and digits, because programs that make links of text cut the
 * compact form: some end a link at its `..`, or at a `-` or `_` behind that. The compact form is in older links.
 * @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv } from "node:crypto";
import { base64url, compactDecrypt } from "jose";
import { hmacSha256 } from "../runtime/mod.ts";
import { decodeAlphanumeric, encodeAlphanumeric } from "./alphanumeric.ts";
import { type Lang, RECORD_ID_LENGTH } from "./record.ts";

export const SELF_SERVICE_KEY_BYTES = 32;

export const SELF_SERVICE_PATHS: Readonly<Record<Lang, string>> = {
  en: "/place/",
  de: "/de/platz/",
};

export const LEAVE_PATH = "/place/leave";

export interface SelfServiceOwner {
  email: string;
  id: string;
}

const HEADER = base64url.encode('{"alg":"dir","enc":"A256GCM"}');
const AUTHENTICATED = Buffer.from(HEADER);

const VECTOR_BYTES = 12, TAG_BYTES = 16;

/** More characters than a token with the longest address has. */
const MAX_LENGTH = 1_024;

/**
 * Makes the function that makes tokens, for a person always the same one. The initialization vector is a keyed hash of
 * the content, so that different contents do not share one, however many tokens the key makes over the years. The
 * function waits for nothing, as an export makes a token for each person.
 */
export function selfServiceTokenMaker(key: Uint8Array): (owner: SelfServiceOwner) => string {
  const digest = hmacSha256(key, "initialization vector ");
  return ({ email, id }) => {
    const content = id + email;
    const vector = digest(content).subarray(0, VECTOR_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, vector);
    cipher.setAAD(AUTHENTICATED);
    const bytes = [cipher.update(content, "utf8"), cipher.final()];
    return encodeAlphanumeric(Buffer.concat([vector, ...bytes, cipher.getAuthTag()]));
  };
}

/** Reads a token that was made with one of the keys; `undefined` for any other text, to the last bit. */
export async function readSelfServiceToken(token: string, keys: readonly Uint8Array[]) {
  const compact = compactFormOf(token);
  if (compact === undefined) return undefined;
  for (const key of keys) {
    try {
      const { plaintext } = await compactDecrypt(compact, key, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
      });
      const text = new TextDecoder().decode(plaintext);
      return { id: text.slice(0, RECORD_ID_LENGTH), email: text.slice(RECORD_ID_LENGTH) };
    } catch {
      // Decryption fails with all keys but the one that made the token, so the next key is tried.
    }
  }
}

/** Gives the compact form of a token (RFC 7516 §7.1); `undefined` for a text that no token is written as. */
function compactFormOf(token: string): string | undefined {
  if (token.length > MAX_LENGTH) return undefined;
  if (token.startsWith(`${HEADER}..`)) return isCanonical(token) ? token : undefined;
  const bytes = decodeAlphanumeric(token);
  if (!bytes || bytes.length < VECTOR_BYTES + TAG_BYTES) return undefined;
  const parts = [
    bytes.subarray(0, VECTOR_BYTES),
    bytes.subarray(VECTOR_BYTES, -TAG_BYTES),
    bytes.subarray(-TAG_BYTES),
  ];
  // Without an encrypted key, because both sides have the key (RFC 7516 §5.1).
  return [HEADER, "", ...parts.map((part) => part.toString("base64url"))].join(".");
}

/** Whether a compact form is the only one that its bytes can have: base64url leaves some of the last bits unused. */
function isCanonical(compact: string): boolean {
  try {
    const canonical = compact.split(".").map((part) => base64url.encode(base64url.decode(part)));
    return canonical.join(".") === compact;
  } catch {
    return false;
  }
}

export type SelfServiceUrls = ReturnType<typeof createSelfServiceUrls>;

/** Makes links with a public origin, without a trailing slash, and tokens of the key that `keyOf` gives by then. */
export function createSelfServiceUrls(baseUrl: string, keyOf: () => Uint8Array) {
  let key: Uint8Array | undefined, maker: ReturnType<typeof selfServiceTokenMaker>;
  const tokenOf = (owner: SelfServiceOwner) => {
    if (key !== keyOf()) maker = selfServiceTokenMaker(key = keyOf());
    return maker(owner);
  };
  return {
    placeUrl: (lang: Lang, email: string, id: string) =>
      `${baseUrl}${SELF_SERVICE_PATHS[lang]}?t=${tokenOf({ email, id })}`,
    /** RFC 8058: where mail programs post to leave the list with one click. */
    leaveUrl: (email: string, id: string) => `${baseUrl}${LEAVE_PATH}?t=${tokenOf({ email, id })}`,
  };
}
