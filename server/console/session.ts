import { Buffer } from "node:buffer";
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Operator } from "../config/mod.ts";

/** The name of the session's cookie, without a prefix. */
const COOKIE = "waitlist_operator";

/** How long somebody stays signed in, in milliseconds (decisions, "Console": 8 hours). */
export const SESSION_MS = 8 * 60 * 60_000;

/** Makes and reads the cookies of operators who are signed in. Nothing of them is stored. */
export interface Sessions {
  /** Gives the `Set-Cookie` value that signs an operator in. */
  begin: (operator: Operator) => string;
  /** Gives the `Set-Cookie` value that signs out. */
  end: () => string;
  /** Finds whose cookie a `Cookie` header holds, if it is good still; nobody where there are two people's. */
  find: (cookies: string | undefined) => Operator | undefined;
}

/**
 * Makes the sessions of the console. A cookie names the operator and the moment at which it ends; its signature
 * is by a key that is derived from the operator's key and the base URL, so that a change of either ends it.
 */
export function createSessions(
  operators: Operator[],
  { baseUrl, now }: { baseUrl: string; now: () => number },
): Sessions {
  const known = new Map(operators.map((operator) => {
    const key = Buffer.from(hkdfSync("sha256", operator.key, baseUrl, "console session", 32));
    return [operator.name, { operator, key }];
  }));
  const cookie = cookieName(baseUrl, COOKIE);
  const sign = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

  function findHolder(value: string): Operator | undefined {
    const [, name = "", end = "", signature = ""] = COOKIE_VALUE.exec(value) ?? [];
    const holder = known.get(name);
    if (!holder || Number(end) <= now()) return undefined;
    const expected = sign(holder.key, `${name}.${end}`);
    const given = Buffer.from(signature, "base64url");
    const isGood = given.length === expected.length && timingSafeEqual(given, expected);
    return isGood ? holder.operator : undefined;
  }

  return {
    begin(operator) {
      const { key } = known.get(operator.name)!;
      const text = `${operator.name}.${now() + SESSION_MS}`;
      const signature = sign(key, text).toString("base64url");
      return `${cookie}=${text}.${signature}${cookieAttributes(baseUrl, SESSION_MS)}`;
    },
    end: () => `${cookie}=${cookieAttributes(baseUrl, 0)}`,
    find(cookies) {
      const holders = new Set(cookieValues(cookies, cookie).map(findHolder));
      holders.delete(undefined);
      return holders.size === 1 ? [...holders][0] : undefined;
    },
  };
}

/** Name, end in milliseconds since 1970, and signature. */
const COOKIE_VALUE = /^([a-z0-9_-]+)\.(\d+)\.([\w-]+)$/;

/**
 * The name of a cookie of the console. Under https, its prefix makes browsers refuse it from a page that came over
 * plain http (RFC 6265bis §4.1.3.1).
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith("https:") ? `__Secure-${name}` : name;
}

/** The longest `Cookie` header that is read, in characters: HTTP/2 and most proxies let no longer one through. */
const MAX_COOKIES_LENGTH = 16_384;

/**
 * Gives the values of all cookies of a name. Another host of the same domain can set one, which browsers may send
 * before the console's own.
 */
export function cookieValues(cookies = "", name: string): string[] {
  if (cookies.length > MAX_COOKIES_LENGTH) return [];
  return cookies.split(";").map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
}

/**
 * The attributes of the console's cookies (decisions, "Console").
 *
 * @param maxAgeMs how long the browser keeps the cookie, in milliseconds
 */
export function cookieAttributes(baseUrl: string, maxAgeMs: number): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `; Max-Age=${maxAgeMs / 1000}; Path=/operator; HttpOnly; SameSite=Strict${secure}`;
}
