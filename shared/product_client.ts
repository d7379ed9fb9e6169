/**
 * ## In the product
 *
 * A typed client for the backend of the product to which people are invited. It checks the code of an invitation, and
 * redeems the code when the person has an account. It needs a key with the role `product`, which must stay on the server.
 *
 * If a server posts sign-ups for its visitors, `join` passes on the IP address of the visitor, and the request limits
 * count this address: `waitlist.join(signUp, { clientAddress })`.
 *
 * This example in Hono is the page to which the invitation letters lead, with a form that makes the account. A route
 * handler in Next makes the same two calls:
 *
 * ```ts
 * import { createProductClient } from "./api_client.ts";
 * import { Hono } from "hono";
 *
 * const waitlist = createProductClient({
 *   baseUrl: process.env.WAITLIST_URL ?? "http://localhost:8000",
 *   key: process.env.WAITLIST_PRODUCT_KEY ?? "the-key-of-shop",
 * });
 *
 * // The link of the wave is https://app.example.com/welcome?code={code}.
 * export const app = new Hono().get("/welcome", async (c) => {
 *   const { data, error } = await waitlist.check(c.req.query("code") ?? "");
 *   if (error) return c.text("This invitation cannot be used.", error.kind === "refused" ? 404 : 503);
 *   return c.json({ email: data.email, isUsed: data.state === "accepted" }); // your form
 * }).post("/welcome", async (c) => {
 *   const { code = "" } = await c.req.parseBody<{ code: string }>();
 *   const account = { id: crypto.randomUUID(), isActive: false }; // your account, which is not active yet
 *   const { error } = await waitlist.redeem(code, { reference: account.id });
 *   if (error) return c.text("This invitation cannot be used.", error.kind === "refused" ? 409 : 503);
 *   account.isActive = true;
 *   return c.json(account);
 * });
 * ```
 *
 * A failed call can be repeated, because a second call with the same `reference` gets the same answer as the first
 * call.
 *
 * @module
 */
import { type Result, statusFrom } from "./api_failure.ts";
import { type Campaign, campaignParameters } from "./campaigns.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import type { Invitation } from "./operator_schemas.ts";
import {
  type Accepted,
  ACCEPTED_SHAPE,
  firstInvalidField,
  type Shape,
  type WaitlistSignup,
} from "./schemas.ts";
import { send } from "./send.ts";

/** The settings of a product's client. */
export interface ProductClientOptions {
  /** The service's public origin, such as `https://waitlist.example`. */
  baseUrl: string;
  /** A key with the role `product` from the service's `OPERATOR_KEYS`. */
  key: string;
  /** The `fetch` for all requests; by default, the global one. */
  fetch?: typeof fetch;
  /** The time until the whole answer must have arrived, in milliseconds. Default: 10,000. */
  timeout?: number;
  /** The longest time that one call waits because of `Retry-After`, in milliseconds. Default: 10,000. */
  maxWait?: number;
}

/** The options of a call about an invitation. */
export interface CodeOptions {
  /**
   * The e-mail address of the person who uses the code. If the code belongs to another person, it is refused like an
   * unknown code.
   */
  email?: string;
  /** Ends the call early, with an error of kind `aborted`. */
  signal?: AbortSignal;
}

/** The options of a sign-up that a server posts for a visitor. */
export interface PassedOnOptions {
  /**
   * The IP address of the visitor, as your server sees it. The request limits then count this address. Never pass on an
   * address that the visitor can choose, such as in a header or a form.
   */
  clientAddress: string;
  /**
   * The referral code in the link by which the visitor came: the parameter `r` in the URL of the page. The service
   * ignores a wrong code.
   */
  referralCode?: string | undefined;
  /** The campaign that the URL of the page names, in its parameters `utm_source`, `utm_medium` and `utm_campaign`. */
  campaign?: Campaign | undefined;
  /** Ends the call early, with an error of kind `aborted`. */
  signal?: AbortSignal;
}

/** The operations for products. */
export interface ProductClient {
  /** `joinWaitlist`: signs a visitor up, with the visitor's consent. */
  join: (signUp: WaitlistSignup, options: PassedOnOptions) => Promise<Result<Accepted>>;
  /** `checkInvitation`: returns the invitation to which the code belongs. */
  check: (code: string, options?: CodeOptions) => Promise<Result<Invitation>>;
  /**
   * `redeemInvitation`: stores that the person has an account of the product. An invitation is redeemed for one account
   * only.
   *
   * @param options.reference the id of the account
   */
  redeem: (
    code: string,
    options: CodeOptions & { reference: string },
  ) => Promise<Result<Invitation>>;
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);

/** The shape of an invitation. */
const INVITATION_SHAPE: Shape<Invitation> = {
  state: (value) => value === "invited" || value === "accepted",
  email: isText,
  lang: isText,
  invitedAt: isText,
  expiresAt: isTextOrAbsent,
  acceptedAt: isTextOrAbsent,
  reference: isTextOrAbsent,
};

/**
 * Makes the client of a product. It sends nothing before the first call.
 *
 * @throws {TypeError} naming the option that is wrong
 */
export function createProductClient(
  options: ProductClientOptions,
  clock: Clock = SYSTEM_CLOCK,
): ProductClient {
  const { baseUrl, key, timeout = 10_000, maxWait = 10_000 } = options;
  if (!/^https?:\/\//i.test(`${baseUrl}`) || !URL.canParse(`${baseUrl}`)) {
    throw new TypeError(`baseUrl is '${baseUrl}'; give a URL such as 'https://waitlist.example'`);
  }
  if (!/^[\x21-\x7e]+$/.test(`${key ?? ""}`)) {
    throw new TypeError("key is missing; give the key of a pair 'name:product=key'");
  }
  const sendOptions = { timeout, maxWait, clock, ...(options.fetch && { fetch: options.fetch }) };

  /** Posts JSON, and checks that the data of the response has the given shape. */
  async function post<T>(
    path: string,
    body: object,
    { shape, headers = {}, signal }: {
      shape: Shape<T>;
      headers?: Record<string, string>;
      signal?: AbortSignal | undefined;
    },
  ): Promise<Result<T>> {
    const url = new URL(path, baseUrl).href;
    const allHeaders = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...headers,
    };
    const init = { method: "POST", headers: allHeaders, body: JSON.stringify(body) };
    const result = await send(new Request(url, { ...init, ...signal && { signal } }), sendOptions);
    if (result.error) return result;
    const field = firstInvalidField(shape, result.data);
    // The cast is safe, because `firstInvalidField()` has found no missing or wrong field.
    if (field === undefined) return { data: result.data as T, headers: result.headers };
    const message = `The field '${field}' is missing or not valid ${statusFrom(200, url)}`;
    return { error: { kind: "unexpected", message, status: 200 } };
  }

  const postAboutCode = (
    operation: "check" | "redeem",
    body: object,
    signal: AbortSignal | undefined,
  ) => post(`/operator/v1/invitations/${operation}`, body, { shape: INVITATION_SHAPE, signal });

  return {
    join: (signUp, { clientAddress, referralCode: r, campaign = {}, signal }) => {
      const parameters = { ...r !== undefined && { r }, ...campaignParameters(campaign) };
      const query = new URLSearchParams(parameters);
      return post(`/api/v1/waitlist${query.size > 0 ? `?${query}` : ""}`, signUp, {
        shape: ACCEPTED_SHAPE,
        headers: { "Waitlist-Client-Address": clientAddress },
        signal,
      });
    },
    check: (code, { signal, ...options } = {}) =>
      postAboutCode("check", { ...options, code }, signal),
    redeem: (code, { signal, ...options }) => postAboutCode("redeem", { ...options, code }, signal),
  };
}
