import { Buffer } from "node:buffer";
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Operator } from "../config_operators.ts";

/** The name of the session's cookie. */
const COOKIE = "waitlist_operator";

/** How long somebody stays signed in, in milliseconds (decisions, "Console": 8 hours). */
export const SESSION_MS = 8 * 60 * 60_000;

/** Makes and reads the cookies of operators who are signed in. Nothing of them is stored. */
export interface Sessions {
  /** Gives the `Set-Cookie` value that signs an operator in. */
  begin: (operator: Operator) => string;
  /** Gives the `Set-Cookie` value that signs out. */
  end: () => string;
  /** Finds whose cookie a `Cookie` header holds, if it is good still. */
  find: (cookies: string | undefined) => Operator | undefined;
}

/**
 * Makes the sessions of the console. A cookie names the operator and the moment at which it ends; its signature
 * is by a key that is derived from the operator's key, so that a changed key ends it.
 */
export function createSessions(
  operators: Operator[],
  { baseUrl, now }: { baseUrl: string; now: () => number },
): Sessions {
  const known = new Map(operators.map((operator) => [
    operator.name,
    { operator, key: Buffer.from(hkdfSync("sha256", operator.key, "", "console session", 32)) },
  ]));
  const sign = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

  return {
    begin(operator) {
      const { key } = known.get(operator.name)!;
      const text = `${operator.name}.${now() + SESSION_MS}`;
      const signature = sign(key, text).toString("base64url");
      return `${COOKIE}=${text}.${signature}${cookieAttributes(baseUrl, SESSION_MS)}`;
    },
    end: () => `${COOKIE}=${cookieAttributes(baseUrl, 0)}`,
    find(cookies) {
      const [, name = "", end = "", signature = ""] = COOKIE_VALUE.exec(cookies ?? "") ?? [];
      const holder = known.get(name);
      if (!holder || Number(end) <= now()) return undefined;
      const expected = sign(holder.key, `${name}.${end}`);
      const given = Buffer.from(signature, "base64url");
      const isGood = given.length === expected.length && timingSafeEqual(given, expected);
      return isGood ? holder.operator : undefined;
    },
  };
}

/** Name, end in milliseconds since 1970, and signature. */
const COOKIE_VALUE = new RegExp(`(?:^|; ?)${COOKIE}=([a-z0-9_-]+)\\.(\\d+)\\.([\\w-]+)(?:;|$)`);

/**
 * The attributes of the console's cookies (decisions, "Console").
 *
 * @param lifeMs how long the browser keeps the cookie, in milliseconds
 */
export function cookieAttributes(baseUrl: string, lifeMs: number): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `; Max-Age=${lifeMs / 1000}; Path=/operator; HttpOnly; SameSite=Strict${secure}`;
}
