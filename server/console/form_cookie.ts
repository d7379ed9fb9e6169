/**
 * The fields of forms that no URL may hold, such as an address. A cookie has them, encrypted, so that the page that a
 * form leads to can be loaded again and gone back to; the page's URL has a random id to find them by.
 *
 * @module
 */
import { hkdfSync } from "node:crypto";
import { base64url, EncryptJWT, jwtDecrypt } from "jose";
import type { Operator } from "../config/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Fields } from "./fields.ts";
import { cookieAttributes, cookieName, cookieValues, SESSION_MS } from "./session.ts";

const nameAt = (baseUrl: string) => cookieName(baseUrl, "waitlist_forms");

/** The field of a query that has the id of a form. */
export const FORM_ID = "form";

/**
 * Bytes of all fields, which are some 10 forms. Encrypted, they are a third longer, and nginx by default refuses an
 * answer whose headers have more than 4 KB in all.
 */
const MAX_BYTES = 1_500;

/** The random bytes of an id. */
const ID_BYTES = 6;

/** A form that a cookie has; fields without a value are left out. */
type KnownForm = [id: string, fields: [name: string, value: string][]];

/** Writes and reads the cookie of one operator. Nothing of it is stored. */
export interface FormCookie {
  /** Finds the fields of a form by its id, if the `Cookie` header has them still. */
  find: (cookies: string | undefined, id: string) => Promise<Fields | undefined>;
  /**
   * Adds a form to those in the `Cookie` header, of which the oldest go where there are too many. The same fields have
   * the same id. Of two forms that are sent at the same moment, the cookie has one, as each answer replaces it.
   *
   * @returns the id and the `Set-Cookie` value; `undefined` where the fields are too long for a cookie
   */
  add: (
    cookies: string | undefined,
    fields: Fields,
  ) => Promise<{ id: string; cookie: string } | undefined>;
}

/** What a {@linkcode FormCookie} needs. */
export interface FormCookieOptions extends Pick<Runtime, "now" | "random"> {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
}

/**
 * Makes the {@linkcode FormCookie} of an operator, which no other operator can read. It ends as long after the last
 * form as a session does after signing in.
 */
export function createFormCookie(
  operator: Operator,
  { baseUrl, now, random }: FormCookieOptions,
): FormCookie {
  const cookie = nameAt(baseUrl);
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

  return {
    async find(cookies, id) {
      const [, fields] = (await read(cookies)).find(([each]) => each === id) ?? [];
      return fields && new Map(fields);
    },
    async add(cookies, fields) {
      const given = [...fields].filter(([, value]) => value).toSorted();
      const known = await read(cookies);
      const isSame = ([, each]: KnownForm) => JSON.stringify(each) === JSON.stringify(given);
      const id = known.find(isSame)?.[0] ?? base64url.encode(random(ID_BYTES));
      const forms = [...known.filter((each) => !isSame(each)), [id, given]];
      while (sizeOf(forms) > MAX_BYTES) forms.shift();
      if (forms.length === 0) return undefined;
      const token = await new EncryptJWT({ forms })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(new Date(now() + SESSION_MS))
        .encrypt(key);
      return { id, cookie: `${cookie}=${token}${cookieAttributes(baseUrl, SESSION_MS)}` };
    },
  };
}

/** The `Set-Cookie` value that removes all forms from the browser. */
export function clearForms(baseUrl: string): string {
  return `${nameAt(baseUrl)}=${cookieAttributes(baseUrl, 0)}`;
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}
