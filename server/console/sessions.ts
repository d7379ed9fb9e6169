/** The session cookie of signed-in operators. `sign_in.ts` has the page to sign in. @module */
import { Buffer } from "node:buffer";
import { createHmac, hkdfSync } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import { HOUR, isSameSecret, type Runtime } from "../runtime/mod.ts";

/** How long an operator stays signed in, in milliseconds: one working day. */
export const SESSION_MS = 8 * HOUR;

/**
 * Matches the value of the cookie: the operator's name, the end of the session in milliseconds since 1970, and the
 * signature.
 */
const COOKIE_VALUE = /^([a-z0-9_-]+)\.(\d+)\.([\w-]+)$/;

/** The name of the session cookie under http. */
const COOKIE_NAME = "waitlist_operator";

/**
 * The longest `Cookie` header that is read, in characters. A request with a longer header counts as a request without
 * cookies, so that no request makes the service check thousands of cookies.
 */
const MAX_COOKIE_HEADER_LENGTH = 16_384;

/** The sessions of the console. `begin` and `end` return the value of a `Set-Cookie` header. */
export interface Sessions {
  /** Signs an operator in. */
  begin: (name: string) => string;
  /** Signs the operator out. */
  end: () => string;
  /**
   * Finds the operator whom the valid session cookies of a request name; `undefined` if there is no valid cookie, or if
   * the cookies name different operators.
   * @param cookieHeader the header `Cookie` of the request
   */
  find: (cookieHeader: string | undefined) => Operator | undefined;
}

/**
 * Makes the sessions, which the service does not store: the cookie has the operator's name, the end of the session and
 * a signature. The signature's key is derived from the operator's key and the base URL, so that a change of either ends
 * the session.
 */
export function createSessions(
  operators: Operator[],
  { baseUrl, now }: { baseUrl: string } & Pick<Runtime, "now">,
): Sessions {
  // A signer is an operator with the key that signs the sessions of this operator.
  const signersByName = new Map(operators.map((operator) => {
    const key = Buffer.from(hkdfSync("sha256", operator.key, baseUrl, "console session", 32));
    return [operator.name, { operator, key }];
  }));
  const sessionCookie = nameOfCookie(baseUrl);
  const sign = (key: Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest("base64url");

  function operatorOf(cookieValue: string): Operator | undefined {
    const [, name = "", endsAt = "", signature = ""] = COOKIE_VALUE.exec(cookieValue) ?? [];
    const signer = signersByName.get(name);
    if (!signer || Number(endsAt) <= now()) return undefined;
    const expectedSignature = sign(signer.key, `${name}.${endsAt}`);
    return isSameSecret(signature, expectedSignature) ? signer.operator : undefined;
  }

  return {
    begin(name) {
      const text = `${name}.${now() + SESSION_MS}`;
      // The operator exists, because the caller has found the name by the operator's key.
      const signature = sign(signersByName.get(name)!.key, text);
      return `${sessionCookie}=${text}.${signature}${cookieAttributes(baseUrl, SESSION_MS)}`;
    },
    end: () => `${sessionCookie}=${cookieAttributes(baseUrl, 0)}`,
    find(cookieHeader) {
      const foundOperators = new Set(cookieValues(cookieHeader, sessionCookie).map(operatorOf));
      // A cookie that is not valid names no operator.
      foundOperators.delete(undefined);
      return foundOperators.size === 1 ? [...foundOperators][0] : undefined;
    },
  };
}

/**
 * Returns the name of the session cookie. Under https, the name begins with `__Secure-`, so that browsers refuse a
 * cookie of this name from a page that came by plain http (RFC 6265bis §4.1.3.1).
 */
function nameOfCookie(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? `__Secure-${COOKIE_NAME}` : COOKIE_NAME;
}

/**
 * The attributes of the session cookie: its lifetime, and the attributes that keep the cookie from scripts, other sites
 * and other paths.
 *
 * @param maxAgeMs the lifetime of the cookie, in milliseconds
 */
function cookieAttributes(baseUrl: string, maxAgeMs: number): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `; Max-Age=${maxAgeMs / 1000}; Path=/operator; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * Returns the values of all cookies of a name. There can be several, because another host of the same domain may have
 * set a cookie of this name. Such a cookie can stand before the session cookie.
 */
function cookieValues(cookieHeader = "", name: string): string[] {
  if (cookieHeader.length > MAX_COOKIE_HEADER_LENGTH) return [];
  return cookieHeader.split(";").map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}
