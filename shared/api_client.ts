/**
 * A typed client of the API for programs: status, sign-up and statistics in one environment. The client gets its access
 * token by itself, and gets a new one before the token expires.
 *
 * No call throws because of the network or the service: each call resolves to `{ data }` or `{ error }`. The client
 * runs in Node 20.19 and later, in Deno, and in browsers on the service's own pages.
 *
 * ```ts
 * import { createApiClient } from "./api_client.ts";
 *
 * const client = createApiClient({
 *   baseUrl: "https://waitlist.example", // the origin of your waitlist
 *   environment: "sandbox",
 * });
 * const { data, error } = await client.stats();
 * if (error) {
 *   console.error(error.message);
 * } else {
 *   console.log(`${data.total} sign-ups, ${data.last7Days} in the last 7 days`);
 * }
 * ```
 *
 * If a visitor came to your page by the referral link of another person, `join` passes on the referral code in this
 * link, the parameter `r` in the URL of the page: `client.join(signUp, { referralCode })`. Likewise, `campaign` passes on
 * the campaign in `utm_source`, `utm_medium` and `utm_campaign` of this URL.
 *
 * The package has ES modules. A CommonJS project loads them with `require`. Jest needs Node's flag for ES modules:
 * `NODE_OPTIONS=--experimental-vm-modules npx jest`.
 *
 * A proxy or a test can pass its own `fetch`. Parallel calls share one token:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { createApiClient } from "./api_client.ts";
 *
 * const paths: string[] = [];
 * const client = createApiClient({
 *   baseUrl: "https://waitlist.example",
 *   credentials: { clientId: "my-client", clientSecret: "read it from the environment" },
 *   fetch: (input) => {
 *     const { pathname } = new URL(new Request(input).url);
 *     paths.push(pathname);
 *     return Promise.resolve(
 *       pathname.endsWith("/token")
 *         ? Response.json({ access_token: "a.b.c", token_type: "Bearer", expires_in: 900 })
 *         : Response.json({ error: "rate_limited", message: "Wait." }, {
 *           status: 429,
 *           headers: { "Retry-After": "42" }, // longer than this client waits
 *         }),
 *     );
 *   },
 * });
 * const results = await Promise.all([client.stats(), client.stats()]);
 * for (const { error } of results) {
 *   assert(error?.kind === "limited");
 *   assert.equal(error.retryAfter, 42);
 * }
 * assert.equal(paths.filter((path) => path === "/api/v1/oauth/token").length, 1);
 * ```
 *
 * @module
 */
import createHttpClient from "openapi-fetch";
import { keepAccessToken } from "./access_token_keeper.ts";
import { type ApiFailure, type Result, statusFrom } from "./api_failure.ts";
import { type Campaign, campaignParameters } from "./campaigns.ts";
import {
  basicAuthorization,
  type Credentials,
  environmentBase,
  type EnvironmentName,
  ENVIRONMENTS,
  sandboxClientOf,
} from "./environments.ts";
import type { paths } from "./generated/public.ts";
import {
  type Accepted,
  ACCEPTED_SHAPE,
  firstInvalidField,
  type Shape,
  STATS_SHAPE,
  type Status,
  STATUS_SHAPE,
  TOKEN_SHAPE,
  type TokenResponse,
  type WaitlistSignup,
  type WaitlistStats,
} from "./schemas.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { send } from "./send.ts";

export { createProductClient } from "./product_client.ts";
export type {
  CodeOptions,
  PassedOnOptions,
  ProductClient,
  ProductClientOptions,
} from "./product_client.ts";
export { verifyEvent } from "./webhook_events.ts";
export type {
  AttentionEvent,
  EventOptions,
  LeftEvent,
  PersonEvent,
  TestEvent,
  WebhookEvent,
} from "./webhook_events.ts";
export type { Invitation } from "./operator_schemas.ts";
export type { Accepted, Status, TokenResponse, WaitlistSignup, WaitlistStats };
export type { ApiFailure, Campaign, Clock, Credentials, EnvironmentName, Result };

/** The options of {@linkcode createApiClient}. */
export interface ApiClientOptions {
  /** The service's public origin, such as `https://waitlist.example`. */
  baseUrl: string;
  /** The environment to call; `production` by default. */
  environment?: EnvironmentName;
  /** The OAuth client for `stats` and `token`. Default in the sandbox: the client in its OpenAPI document. */
  credentials?: Credentials;
  /** The `fetch` for all requests; by default, the global one. */
  fetch?: typeof fetch;
  /** The time until the whole answer must have arrived, in milliseconds. Default: 10,000. */
  timeout?: number;
  /** The longest time that one call waits because of `Retry-After`, in milliseconds. Default: 10,000. */
  maxWait?: number;
}

/** The options of a call. */
export interface CallOptions {
  /** Ends the call early, with an error of kind `aborted`. */
  signal?: AbortSignal;
}

/** The options of a sign-up. */
export interface SignUpCallOptions extends CallOptions {
  /**
   * The referral code in the link by which the person came: the parameter `r` in the URL of the page. The service
   * ignores a wrong code.
   */
  referralCode?: string | undefined;
  /**
   * The campaign that the URL of the page names, in its parameters `utm_source`, `utm_medium` and `utm_campaign`. The
   * service stores at most 40 characters of a value, in lower case, with - for each character but a-z, 0-9, _ and -.
   */
  campaign?: Campaign | undefined;
}

/** The operations of one environment. */
export interface ApiClient {
  /** `getStatus`: says whether the service is up. */
  status: (options?: CallOptions) => Promise<Result<Status>>;
  /** `joinWaitlist`: signs an address up, with the consent of its owner. */
  join: (signUp: WaitlistSignup, options?: SignUpCallOptions) => Promise<Result<Accepted>>;
  /** `getWaitlistStats`: returns aggregate counts. */
  stats: (options?: CallOptions) => Promise<Result<WaitlistStats>>;
  /** `createAccessToken`: returns the stored access token or a new one. */
  token: (options?: CallOptions) => Promise<Result<TokenResponse>>;
}

/** The failure of a call that needs credentials. */
const NO_CREDENTIALS: ApiFailure = {
  kind: "no_credentials",
  message: "Production statistics need a client_id and a client_secret",
};

/** The failure of a call whose signal aborts while it waits for the access token. */
const ABORTED: ApiFailure = { kind: "aborted", message: "The call was ended early" };

/** An exception that carries a failure through openapi-fetch, from `sendOrThrow()` to `toResult()`. */
class FailureError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Makes a client of one environment. It sends nothing before the first call.
 *
 * @throws {TypeError} naming the option that is wrong
 */
export function createApiClient(options: ApiClientOptions, clock: Clock = SYSTEM_CLOCK): ApiClient {
  checkOptions(options);
  const { baseUrl, environment = "production", timeout = 10_000, maxWait = 10_000 } = options;
  const environmentUrl = environmentBase(baseUrl, environment);
  const sendOptions = { timeout, maxWait, clock, ...(options.fetch && { fetch: options.fetch }) };
  const http = createHttpClient<paths>({ baseUrl: environmentUrl, fetch: sendOrThrow });

  /**
   * Sends a request of openapi-fetch by `send`. Throws a failure, because openapi-fetch passes on only responses and
   * exceptions. openapi-fetch is used because its types let the compiler check paths and bodies by the OpenAPI
   * document.
   */
  async function sendOrThrow(request: Request): Promise<Response> {
    const result = await send(request, sendOptions);
    if (result.error) throw new FailureError(result.error);
    return Response.json(result.data, { headers: result.headers });
  }

  /** Turns the outcome of openapi-fetch into a result, and checks that the data has the given shape. */
  async function toResult<T>(
    shape: Shape<T>,
    exchange: Promise<{ data?: T; response: Response }>,
  ): Promise<Result<T>> {
    try {
      const { data, response } = await exchange;
      const field = firstInvalidField(shape, data);
      if (data !== undefined && field === undefined) return { data, headers: response.headers };
      const message =
        `The field '${field}' is missing or not valid in an answer of ${environmentUrl}`;
      return { error: { kind: "unexpected", message, status: response.status } };
    } catch (error) {
      if (error instanceof FailureError) return { error: error.failure };
      throw error;
    }
  }

  /** The credentials of the options, or those that {@linkcode findCredentials} has read. */
  let knownCredentials: Credentials | undefined = options.credentials;

  /**
   * Returns the credentials of the options. If the options have none, returns the credentials for everybody that the
   * OpenAPI document of the sandbox has.
   */
  async function findCredentials(): Promise<Result<Credentials>> {
    if (knownCredentials) return { data: knownCredentials, headers: new Headers() };
    if (!ENVIRONMENTS[environment].publishesClient) return { error: NO_CREDENTIALS };
    const url = `${environmentUrl}/openapi.json`;
    const document = await send(new Request(url), sendOptions);
    if (document.error) return document;
    knownCredentials = sandboxClientOf(document.data);
    if (knownCredentials) return { data: knownCredentials, headers: document.headers };
    const message =
      `The OpenAPI document lacks 'x-sandbox-client', the field for the credentials of the sandbox ${
        statusFrom(200, url)
      }`;
    return { error: { kind: "unexpected", message, status: 200 } };
  }

  const tokenKeeper = keepAccessToken(async () => {
    const { data: clientCredentials, error } = await findCredentials();
    if (error) return { error };
    return await toResult(
      TOKEN_SHAPE,
      http.POST("/api/v1/oauth/token", {
        body: { grant_type: "client_credentials" },
        // The default serializer does not find the `Content-Type` if the headers come from another JavaScript realm, as
        // they do in a test of Jest.
        bodySerializer: (body) => new URLSearchParams({ ...body }).toString(),
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          Authorization: basicAuthorization(clientCredentials),
        },
      }),
    );
  }, clock.now);

  /**
   * Returns the access token. Several callers can share one token request, so the signal of a caller ends only the wait
   * of this caller, and not the request.
   */
  async function token({ signal }: CallOptions = {}): Promise<Result<TokenResponse>> {
    if (!signal) return await tokenKeeper.get();
    if (signal.aborted) return { error: ABORTED };
    const waitEnd = new AbortController();
    const aborted = new Promise<{ error: ApiFailure }>((resolve) => {
      const end = () => resolve({ error: ABORTED });
      signal.addEventListener("abort", end, { signal: waitEnd.signal });
    });
    try {
      return await Promise.race([aborted, tokenKeeper.get()]);
    } finally {
      waitEnd.abort();
    }
  }

  /**
   * Gets the statistics. After a 401, it tries once more with a new token, because the service may have lost the key with
   * which the first token was signed.
   */
  async function stats(options: CallOptions = {}, mayRetry = true): Promise<Result<WaitlistStats>> {
    const { data: tokenResponse, error } = await token(options);
    if (error) return { error };
    const { access_token: accessToken } = tokenResponse;
    const headers = { Authorization: `Bearer ${accessToken}` };
    const result = await toResult(
      STATS_SHAPE,
      http.GET("/api/v1/waitlist/stats", { ...options, headers }),
    );
    if (!mayRetry || result.error?.kind !== "unauthorized" || result.error.status !== 401) {
      return result;
    }
    tokenKeeper.drop(accessToken);
    return await stats(options, false);
  }

  return {
    status: (options = {}) => toResult(STATUS_SHAPE, http.GET("/api/v1/status", { ...options })),
    // If the caller gives no sign-up, the body is an empty object, because the service then answers which fields are
    // missing.
    join: (body = {} as WaitlistSignup, { referralCode: r, campaign = {}, ...options } = {}) => {
      const params = { query: { ...r !== undefined && { r }, ...campaignParameters(campaign) } };
      return toResult(ACCEPTED_SHAPE, http.POST("/api/v1/waitlist", { body, params, ...options }));
    },
    // Hides the parameter `mayRetry` from callers.
    stats: (options) => stats(options),
    token,
  };
}

/** Checks the options at run time, because a program in JavaScript has no type check. */
function checkOptions(
  { baseUrl, environment = "production", credentials }: Partial<ApiClientOptions> = {},
): void {
  // `URL.canParse()` alone would read "localhost:8000" as a URL with the scheme "localhost:".
  if (!/^https?:\/\//i.test(`${baseUrl}`) || !URL.canParse(`${baseUrl}`)) {
    throw new TypeError(
      `baseUrl is '${baseUrl}', which is not an http: or https: URL; give one such as ` +
        "'https://waitlist.example' or 'http://localhost:8000'",
    );
  }
  if (!Object.hasOwn(ENVIRONMENTS, environment)) {
    throw new TypeError(`environment is '${environment}'; give 'production' or 'sandbox'`);
  }
  // Absent credentials pass the check, because `status` and `join` need none, and the sandbox publishes some.
  const { clientId, clientSecret } = credentials ?? { clientId: "", clientSecret: "" };
  if (typeof clientId !== "string" || typeof clientSecret !== "string") {
    throw new TypeError(
      `credentials has ${Object.keys(credentials!).join(" and ") || "no members"}; ` +
        "give both clientId and clientSecret as strings",
    );
  }
}
