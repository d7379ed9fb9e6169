import assert from "node:assert/strict";
import { type ApiClientOptions, createApiClient } from "../../shared/api_client.ts";
import {
  BASE_URL,
  createTestClient,
  START,
  startTestService,
  test,
  type TestService,
  WITH_MAIL,
} from "../support/service.ts";
import { recordOf } from "../support/records.ts";
import { confirmPerson } from "../support/self_service.ts";
import type { ApiFailure, Result } from "../../shared/api_failure.ts";

/** A `fetch` into the service that keeps the calls, and may answer one itself. */
function fetchInto(
  service: TestService,
  intervene: (call: string, request: Request) => Response | Promise<Response> | undefined = () =>
    undefined,
) {
  const calls: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    calls.push(call);
    const own = intervene(call, request);
    if (own) return await own;
    const body = request.body && await request.text();
    const { method, headers } = request;
    return await service.request(pathname + search, { method, headers, body });
  };
  return { fetch, calls };
}

/** A clock that stands still but for the waits, which it keeps. */
function testClock(service: TestService) {
  const waits: number[] = [];
  return {
    waits,
    now: () => service.clock.now,
    wait(milliseconds: number) {
      waits.push(milliseconds);
      service.clock.now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** The data of a call that went well. */
function dataOf<T>(result: Result<T>): T {
  assert(result.data !== undefined, result.error?.message);
  return result.data;
}

/** The failure of a call that went wrong. */
function errorOf(result: Result<unknown>): ApiFailure {
  assert(result.error);
  return result.error;
}

/** How {@linkcode fetchInto} notes a request for a token. */
const TOKEN_CALL = "POST /api/v1/oauth/token";
/** How {@linkcode fetchInto} notes a reading of the statistics. */
const STATS_CALL = "GET /api/v1/waitlist/stats";

/** A production client of the service, with its calls and waits. */
async function productionClient(
  service: TestService,
  { intervene, ...options }: Partial<ApiClientOptions> & {
    intervene?: Parameters<typeof fetchInto>[1];
  } = {},
) {
  const { fetch, calls } = fetchInto(service, intervene);
  const clock = testClock(service);
  const credentials = await createTestClient(service);
  const client = createApiClient({ baseUrl: BASE_URL, credentials, fetch, ...options }, clock);
  return { client, calls, waits: clock.waits };
}

test("createApiClient() makes a client that calls three operations of production: status(), join() and stats()", async (service) => {
  const { client, calls } = await productionClient(service);
  const status = await client.status();
  assert.equal(dataOf(status).environment, "production");
  assert.equal(status.headers?.get("ratelimit-limit"), "120");
  assert.deepEqual(
    dataOf(await client.join({ email: "ada@example.com", consent: true, lang: "de" })),
    { accepted: true },
  );
  const stats = dataOf(await client.stats());
  assert.equal(stats.total, 1);
  assert.deepEqual(stats.byLang, { de: 1 });
  assert.deepEqual(calls, ["GET /api/v1/status", "POST /api/v1/waitlist", TOKEN_CALL, STATS_CALL]);
});

Deno.test("createApiClient() makes a client whose join() sends the referral code that the caller passes", async () => {
  await using service = await startTestService({ ...WITH_MAIL, REFERRALS: "on" });
  await confirmPerson(service, "ada@example.com");
  const { id, referralCode } = await recordOf(service.kv, "ada@example.com");
  const { client } = await productionClient(service);
  const join = (name: string, code: string | undefined) =>
    client.join({ email: `${name}@example.com`, consent: true }, { referralCode: code });
  assert.deepEqual(dataOf(await join("bob", referralCode)), { accepted: true });
  assert.deepEqual(dataOf(await join("eve", "a wrong & malformed code")), { accepted: true });
  assert.deepEqual(dataOf(await join("zoe", undefined)), { accepted: true });
  const referrers = await Promise.all(
    ["bob", "eve", "zoe"].map(async (name) => {
      return (await recordOf(service.kv, `${name}@example.com`)).referrerId;
    }),
  );
  assert.deepEqual(referrers, [id, undefined, undefined]);
});

Deno.test("createApiClient() makes a client whose join() sends the campaign that the caller passes", async () => {
  await using service = await startTestService();
  const { client } = await productionClient(service);
  const campaign = { utmSource: "News & more", utmCampaign: "launch" };
  const signUp = { email: "ada@example.com", consent: true };
  assert.deepEqual(dataOf(await client.join(signUp, { campaign })), { accepted: true });
  const { utmSource, utmMedium, utmCampaign } = await recordOf(service.kv, "ada@example.com");
  assert.deepEqual([utmSource, utmMedium, utmCampaign], ["news---more", undefined, "launch"]);
});

Deno.test("createApiClient() makes a client that uses the sandbox's published credentials to get a token when the environment is 'sandbox'", async () => {
  await using service = await startTestService({ SANDBOX_CLIENT: "published-client" });
  const { fetch, calls } = fetchInto(service);
  const client = createApiClient({ baseUrl: `${BASE_URL}/`, environment: "sandbox", fetch });
  assert.equal(dataOf(await client.stats()).environment, "sandbox");
  assert.deepEqual(calls, [
    "GET /sandbox/openapi.json",
    "POST /sandbox/api/v1/oauth/token",
    "GET /sandbox/api/v1/waitlist/stats",
  ]);
});

test("createApiClient() requests one token for many parallel calls, and reuses this token for later calls", async (service) => {
  const { client, calls } = await productionClient(service);
  const results = await Promise.all(Array.from({ length: 10 }, () => client.stats()));
  for (const result of results) dataOf(result);
  dataOf(await client.stats());
  assert.equal(calls.filter((call) => call === TOKEN_CALL).length, 1);
});

test("createApiClient() requests a new token before the present token expires", async (service) => {
  const { client, calls } = await productionClient(service);
  const tokens = () => calls.filter((call) => call === TOKEN_CALL).length;
  dataOf(await client.stats());
  service.clock.now = START + 839_000;
  dataOf(await client.stats());
  assert.equal(tokens(), 1, "61 s are left");
  service.clock.now = START + 840_000;
  dataOf(await client.stats());
  assert.equal(tokens(), 2);
});

test("createApiClient() repeats a call once with a new token after a 401", async (service) => {
  let refusals = 1;
  const { client, calls } = await productionClient(service, {
    intervene: (call) =>
      call === STATS_CALL && refusals-- > 0
        ? Response.json({ error: "invalid_token", message: "Expired." }, { status: 401 })
        : undefined,
  });
  dataOf(await client.stats());
  assert.deepEqual(calls, [TOKEN_CALL, STATS_CALL, TOKEN_CALL, STATS_CALL]);
  calls.length = 0;
  refusals = Infinity;
  const error = errorOf(await client.stats());
  assert.deepEqual(error, {
    kind: "unauthorized",
    message: `Expired (401 from ${BASE_URL}/api/v1/waitlist/stats)`,
    status: 401,
    code: "invalid_token",
  });
  assert.deepEqual(calls, [STATS_CALL, TOKEN_CALL, STATS_CALL], "once more, not for ever");
});

test("createApiClient() requests a token again in the next call after a token request has failed", async (service) => {
  let failures = 1;
  const { client } = await productionClient(service, {
    intervene: (call) =>
      call === TOKEN_CALL && failures-- > 0 ? new Response("", { status: 503 }) : undefined,
  });
  assert.equal(errorOf(await client.stats()).kind, "failed");
  dataOf(await client.stats());
});

test(
  "createApiClient() waits for Retry-After and repeats the call, unless Retry-After is longer than maxWait",
  async (service, t) => {
    const limited = (status: number, retryAfter: string | undefined) =>
      Response.json({ error: "rate_limited", message: "Too many." }, {
        status,
        ...(retryAfter !== undefined && { headers: { "Retry-After": retryAfter } }),
      });
    const inFourSeconds = new Date(START + 4_000).toUTCString();
    for (
      const { answers, waits, retryAfter, maxWait = 10_000, status = 429 } of [
        { answers: ["3"], waits: [3_000] },
        { answers: ["3"], waits: [3_000], status: 503 },
        { answers: ["0"], waits: [1_000] },
        { answers: [inFourSeconds], waits: [4_000] },
        { answers: ["4", "4"], waits: [4_000, 4_000] },
        { answers: ["4", "7"], waits: [4_000], retryAfter: 7 },
        { answers: ["11"], waits: [], retryAfter: 11 },
        { answers: ["1"], waits: [], retryAfter: 1, maxWait: 0 },
        { answers: ["-5"], waits: [], retryAfter: undefined },
        { answers: [undefined], waits: [], retryAfter: undefined },
      ] as {
        answers: (string | undefined)[];
        waits: number[];
        retryAfter?: number;
        maxWait?: number;
        status?: number;
      }[]
    ) {
      await t.step(`${status}, Retry-After: ${answers}`, async () => {
        service.clock.now = START;
        const given = answers.map((answer) => limited(status, answer));
        const { client, waits: waited } = await productionClient(service, {
          maxWait,
          intervene: () => given.shift(),
        });
        const result = await client.join({ email: "ada@example.com", consent: true });
        assert.deepEqual(waited, waits, String(answers));
        if (waits.length === answers.length) {
          dataOf(result);
        } else {
          const error = errorOf(result);
          assert(error.kind === "limited");
          assert.equal(error.retryAfter, retryAfter);
        }
      });
    }
  },
);

test("createApiClient() makes a client that returns the reason when credentials are wrong, missing or lack the scope", async (service) => {
  const { fetch } = fetchInto(service);
  const stats = async (options: Partial<ApiClientOptions>) =>
    errorOf(await createApiClient({ baseUrl: BASE_URL, fetch, ...options }).stats());

  assert.equal((await stats({})).kind, "no_credentials");
  const wrong = await stats({ credentials: { clientId: "nobody", clientSecret: "ä: +%&=" } });
  assert(wrong.kind === "unauthorized");
  assert.deepEqual([wrong.status, wrong.code], [401, "invalid_client"]);
  const unscoped = await stats({ credentials: await createTestClient(service, []) });
  assert(unscoped.kind === "unauthorized");
  assert.deepEqual([unscoped.status, unscoped.code], [403, "insufficient_scope"]);
});

test("createApiClient() ends a call that takes longer than the time-out", async (service) => {
  const { client } = await productionClient(service, {
    timeout: 20,
    // A body that never ends counts too.
    intervene: (_call, { signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            signal.addEventListener("abort", () => controller.error(signal.reason));
          },
        }),
      ),
  });
  assert.deepEqual(errorOf(await client.status()), {
    kind: "timed_out",
    message: `No whole answer came from ${BASE_URL} within 0.02 s`,
  });
});

test("createApiClient() ends only the call whose signal is aborted, and not the token request that other calls wait for", async (service) => {
  const gate = Promise.withResolvers<undefined>();
  const { client, calls } = await productionClient(service, {
    intervene: (call) =>
      call === TOKEN_CALL
        ? gate.promise.then(() =>
          Response.json({ access_token: "a", token_type: "bearer", expires_in: 9 })
        )
        : Response.json({ error: "invalid_request", message: "No." }, { status: 400 }),
  });
  const controller = new AbortController();
  const leaving = client.stats({ signal: controller.signal });
  const staying = client.stats();
  controller.abort();
  assert.equal(errorOf(await leaving).kind, "aborted");
  gate.resolve(undefined);
  assert.equal(errorOf(await staying).kind, "refused", "it has got its token, and gone on");
  assert.equal(errorOf(await client.status({ signal: controller.signal })).kind, "aborted");
  assert.equal(calls.filter((call) => call === TOKEN_CALL).length, 1);
});

Deno.test("createApiClient() throws a TypeError that quotes baseUrl when baseUrl is not an http: or https: URL", async (t) => {
  for (const baseUrl of ["localhost:8510", "waitlist.example", "", "ftp://waitlist.example"]) {
    await t.step(JSON.stringify(baseUrl), () => {
      const message =
        `baseUrl is '${baseUrl}', which is not an http: or https: URL; give one such as ` +
        "'https://waitlist.example' or 'http://localhost:8000'";
      assert.throws(() => createApiClient({ baseUrl }), { name: "TypeError", message });
    });
  }
});

test(
  "createApiClient() throws an error that names the option when a JavaScript program passes a wrong option",
  async (service, t) => {
    const { fetch, calls } = fetchInto(service);
    const give = "give both clientId and clientSecret as strings";
    for (
      const [options, message] of [
        [
          undefined,
          /^baseUrl is 'undefined', which is not an http: or https: URL; give one such as/,
        ],
        [{ environment: "sandbx" }, "environment is 'sandbx'; give 'production' or 'sandbox'"],
        [{ environment: null }, "environment is 'null'; give 'production' or 'sandbox'"],
        [
          { credentials: { client_id: "a", client_secret: "never shown" } },
          `credentials has client_id and client_secret; ${give}`,
        ],
        [
          { credentials: { clientId: "a", clientSecret: undefined } },
          `credentials has clientId and clientSecret; ${give}`,
        ],
        [{ credentials: {} }, `credentials has no members; ${give}`],
      ] as [object | undefined, string | RegExp][]
    ) {
      await t.step(`${JSON.stringify(options)}`, () => {
        const given = options && { baseUrl: BASE_URL, fetch, ...options };
        assert.throws(
          () => createApiClient(given as ApiClientOptions),
          { name: "TypeError", message },
        );
      });
    }
    assert.deepEqual(calls, []);
    const { join } = createApiClient({ baseUrl: BASE_URL, fetch });
    const error = errorOf(await (join as () => ReturnType<typeof join>)());
    assert.match(error.message, /^The e-mail address is missing or not valid;/);
  },
);

test(
  "createApiClient() makes a client that returns an error of kind 'unexpected' when an answer does not come from the API",
  async (service, t) => {
    for (
      const [response, pattern] of [
        [
          () => new Response("<p>", { headers: { "Content-Type": "text/html" } }),
          /^The answer is not JSON but text\/html \(200 from /,
        ],
        [
          () => new Response("{", { headers: { "Content-Type": "application/json" } }),
          /^The answer is not valid JSON \(200 from /,
        ],
        [() => Response.json(null), /^The field 'status' is missing or not valid in an answer of /],
        [
          () => Response.redirect("https://elsewhere.example/"),
          /^The answer is a redirect to https:\/\/elsewhere\.example\//,
        ],
        [
          () => Response.json({}, { status: 404 }),
          /^The answer does not come from a waitlist service \(404 from /,
        ],
        [
          () => new Response(null, { status: 204 }),
          /^The answer is not JSON: it has no media type \(204 from /,
        ],
      ] as [() => Response, RegExp][]
    ) {
      await t.step(`${pattern}`, async () => {
        const { client } = await productionClient(service, { intervene: response });
        const error = errorOf(await client.status());
        assert.equal(error.kind, "unexpected");
        assert.match(error.message, pattern);
      });
    }
  },
);

test(
  "createApiClient() makes a client that returns an error with the field's name when an answer does not fit the contract",
  async (service, t) => {
    const { client: honest } = await productionClient(service);
    const good = dataOf(await honest.status());
    for (
      const [field, value] of Object.entries({
        status: "up",
        apiVersion: 1,
        time: "noon",
        docs: null,
      })
    ) {
      await t.step(field, async () => {
        const { client } = await productionClient(service, {
          intervene: () => Response.json({ ...good, [field]: value }),
        });
        assert.equal(
          errorOf(await client.status()).message,
          `The field '${field}' is missing or not valid in an answer of ${BASE_URL}`,
        );
      });
    }
    const { client } = await productionClient(service, {
      intervene: () => Response.json({ ...good, newer: true }),
    });
    dataOf(await client.status());
  },
);

test("createApiClient() makes a client whose errors quote an answer's message on one line, without control characters", async (service) => {
  const { client } = await productionClient(service, {
    intervene: () =>
      Response.json({ error: "internal_error", message: `a\u001b[31m\nb${"c".repeat(500)}.` }, {
        status: 500,
      }),
  });
  const { message } = errorOf(await client.status());
  assert.equal(message, `a [31m b${"c".repeat(192)}… (500 from ${BASE_URL}/api/v1/status)`);
});
