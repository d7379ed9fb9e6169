/**
 * The tokens in links to the self-service page. A token is the person's address and record id, encrypted as a JWE (RFC
 * 7516, `dir`, `A256GCM`) and written as letters and digits. @module
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

/** The protected header. It is the same for every token, so that tokens leave it out. */
const HEADER = base64url.encode('{"alg":"dir","enc":"A256GCM"}');
const AUTHENTICATED = Buffer.from(HEADER);

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

/** How many characters of a token are read at most. A token with the longest address has fewer. */
const MAX_LENGTH = 1_024;

/**
 * Makes the function that makes tokens. A person always gets the same token. The initialization vector is a keyed hash
 * of the content, so that two contents never have the same vector. The function is synchronous to save time, because an
 * export makes a token for each person.
 *
 * @param key the key of {@linkcode SELF_SERVICE_KEY_BYTES}
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

/** Reads a token that was made with one of the keys; gives `undefined` for any other text. */
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
      const text = new TextDecoder().decode(plaintext);
      return { id: text.slice(0, RECORD_ID_LENGTH), email: text.slice(RECORD_ID_LENGTH) };
    } catch {
      // The error is ignored, because another key may have made the token; the loop tries the next key.
    }
  }
}

/**
 * Gives the compact form of a token (RFC 7516 §7.1); `undefined` for a text that is no token.
 *
 * A token leaves out the header and the dots, because mail programs that find a URL in plain text end the URL at `..`.
 * Tokens in older links have the compact form itself.
 */
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
  // The encrypted key is empty, because both sides have the key (RFC 7516 §5.1).
  return [HEADER, "", ...parts.map((part) => part.toString("base64url"))].join(".");
}

/**
 * Whether a text is the normal compact form of its bytes. Other forms exist, because base64url ignores some last bits.
 */
function isCanonical(compact: string): boolean {
  try {
    const canonical = compact.split(".").map((part) => base64url.encode(base64url.decode(part)));
    return canonical.join(".") === compact;
  } catch {
    return false;
  }
}

export interface SelfServiceUrls {
  /** Gives the link to the self-service page in a language, for the person with this address and record id. */
  placeUrl: (lang: Lang, email: string, id: string) => string;
  /** Gives the URL to which a mail program posts to leave the list with one click (RFC 8058). */
  leaveUrl: (email: string, id: string) => string;
}

/**
 * Makes the links to the self-service page.
 *
 * @param baseUrl the public origin, without a trailing slash
 * @param keyOf gives the key that makes tokens at present
 */
export function createSelfServiceUrls(baseUrl: string, keyOf: () => Uint8Array): SelfServiceUrls {
  let key: Uint8Array | undefined;
  let maker: (owner: SelfServiceOwner) => string;
  const tokenOf = (owner: SelfServiceOwner) => {
    if (key !== keyOf()) maker = selfServiceTokenMaker(key = keyOf());
    return maker(owner);
  };
  return {
    placeUrl: (lang, email, id) =>
      `${baseUrl}${SELF_SERVICE_PATHS[lang]}?t=${tokenOf({ email, id })}`,
    leaveUrl: (email, id) => `${baseUrl}${LEAVE_PATH}?t=${tokenOf({ email, id })}`,
  };
}
