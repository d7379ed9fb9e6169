import { Buffer } from "node:buffer";
import { createHmac, hkdfSync } from "node:crypto";
import { base64url, EncryptJWT, jwtDecrypt } from "jose";
import type { Operator } from "../config/mod.ts";
import { HOUR, isSame, type Runtime } from "../runtime/mod.ts";
import type { Fields } from "./form_fields.ts";

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

export const FORM_ID = "form";

/** Bytes of all fields, some 10 forms; encrypted a third longer. nginx takes 4 KB of an answer's headers. */
const MAX_BYTES = 1_500;

type KnownForm = [id: string, fields: [name: string, value: string][]];

const formsName = (baseUrl: string) => cookieName(baseUrl, "waitlist_forms");

export interface FormCookieOptions extends Pick<Runtime, "now" | "random"> {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
}

/**
 * Makes the cookie of an operator's forms, whose fields no URL may hold, such as an address: the page that a form
 * leads to can be loaded again and gone back to, as its URL has a random id to find them by. The cookie is encrypted,
 * so that no other operator can read it. It ends as long after the last form as a session does after signing in.
 */
export function createFormCookie(operator: Operator, { baseUrl, now, random }: FormCookieOptions) {
  const cookie = formsName(baseUrl);
  const key = new Uint8Array(hkdfSync("sha256", operator.key, baseUrl, "console forms", 32));

  /** Reads all forms of the first cookie that is good, the oldest first. */
  async function read(cookies: string | undefined): Promise<KnownForm[]> {
    for (const token of cookieValues(cookies, cookie)) {
      try {
        const { payload } = await jwtDecrypt<{ forms: KnownForm[] }>(token, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          currentDate: new Date(now()),
        });
        return payload.forms;
      } catch {
        // It is not good.
      }
    }
    return [];
  }

  async function write(forms: KnownForm[]): Promise<string> {
    const token = await new EncryptJWT({ forms })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setExpirationTime(new Date(now() + SESSION_MS))
      .encrypt(key);
    return `${cookie}=${token}${cookieAttributes(baseUrl, SESSION_MS)}`;
  }

  return {
    async find(cookies: string | undefined, id: string): Promise<Fields | undefined> {
      const [, fields] = (await read(cookies)).find(([each]) => each === id) ?? [];
      return fields && new Map(fields);
    },
    /**
     * Adds a form to those in the `Cookie` header, of which the oldest go where there are too many; gives `undefined`
     * where its fields are too long for a cookie. The same fields have the same id. Of two forms that are sent at the
     * same moment, the cookie has one, as each answer replaces it.
     */
    async add(cookies: string | undefined, fields: Fields) {
      const given = [...fields].filter(([, value]) => value).toSorted();
      const known = await read(cookies);
      const isSame = ([, each]: KnownForm) => JSON.stringify(each) === JSON.stringify(given);
      const id = known.find(isSame)?.[0] ?? base64url.encode(random(6));
      const forms: KnownForm[] = [...known.filter((each) => !isSame(each)), [id, given]];
      while (Buffer.byteLength(JSON.stringify(forms)) > MAX_BYTES) forms.shift();
      return forms.length === 0 ? undefined : { id, cookie: await write(forms) };
    },
    async remove(cookies: string | undefined, id: string): Promise<string> {
      const others = (await read(cookies)).filter(([each]) => each !== id);
      return others.length > 0 ? await write(others) : clearForms(baseUrl);
    },
  };
}

/** The `Set-Cookie` value that removes all forms from the browser. */
export const clearForms = (baseUrl: string) =>
  `${formsName(baseUrl)}=${cookieAttributes(baseUrl, 0)}`;
