import { Buffer } from "node:buffer";
import { createHmac, hkdfSync } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import { HOUR, isSame, type Runtime } from "../runtime/mod.ts";

/** How long somebody stays signed in, in milliseconds: about a day of work. */
export const SESSION_MS = 8 * HOUR;

/** Operator, end in milliseconds since 1970, and signature. */
const SESSION_VALUE = /^([a-z0-9_-]+)\.(\d+)\.([\w-]+)$/;

/** The longest `Cookie` header that is read, in characters: HTTP/2 and most proxies let no longer one through. */
const MAX_COOKIES_LENGTH = 16_384;

/** Under https, a prefix makes browsers refuse a cookie from a page that came over plain http (RFC 6265bis §4.1.3.1). */
function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith("https:") ? `__Secure-${name}` : name;
}

/** Lets no script read a cookie, and no other site or path get it. @param maxAgeMs how long the browser keeps it */
function cookieAttributes(baseUrl: string, maxAgeMs: number): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `; Max-Age=${maxAgeMs / 1000}; Path=/operator; HttpOnly; SameSite=Strict${secure}`;
}

/** Gives the values of all cookies of a name: another host of the same domain can have set one, which may come first. */
function cookieValues(cookies = "", name: string): string[] {
  if (cookies.length > MAX_COOKIES_LENGTH) return [];
  return cookies.split(";").map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
}

/**
 * Makes the sessions of the console, of which nothing is stored. A cookie names the operator and the moment of its end;
 * it is signed by a key that is derived from the operator's key and the base URL, so that a change of either ends it.
 */
export function createSessions(
  operators: Operator[],
  { baseUrl, now }: { baseUrl: string } & Pick<Runtime, "now">,
) {
  const known = new Map(operators.map((operator) => {
    const key = Buffer.from(hkdfSync("sha256", operator.key, baseUrl, "console session", 32));
    return [operator.name, { operator, key }];
  }));
  const cookie = cookieName(baseUrl, "waitlist_operator");
  const sign = (key: Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest("base64url");

  function findHolder(value: string): Operator | undefined {
    const [, name = "", end = "", signature = ""] = SESSION_VALUE.exec(value) ?? [];
    const holder = known.get(name);
    if (!holder || Number(end) <= now()) return undefined;
    return isSame(signature, sign(holder.key, `${name}.${end}`)) ? holder.operator : undefined;
  }

  return {
    begin(name: string): string {
      const text = `${name}.${now() + SESSION_MS}`;
      const signature = sign(known.get(name)!.key, text);
      return `${cookie}=${text}.${signature}${cookieAttributes(baseUrl, SESSION_MS)}`;
    },
    end: () => `${cookie}=${cookieAttributes(baseUrl, 0)}`,
    /** Finds whose cookie a `Cookie` header holds, if it is good still; nobody where there are two people's. */
    find(cookies: string | undefined): Operator | undefined {
      const holders = new Set(cookieValues(cookies, cookie).map(findHolder));
      holders.delete(undefined);
      return holders.size === 1 ? [...holders][0] : undefined;
    },
  };
}
