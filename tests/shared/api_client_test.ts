import assert from "node:assert/strict";
import { createApiClient } from "../../shared/api_client.ts";
import { dataOf, errorOf, fetchInto, productionClient, STATS_CALL } from "../support/api_client.ts";
import { TOKEN_CALL } from "../support/api_client.ts";
import { BASE_URL, START, startTestService } from "../support/service.ts";

Deno.test("createApiClient() reads status, joins and counts in production", async () => {
  await using service = await startTestService();
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

Deno.test("createApiClient() finds the published credentials when it is for the sandbox", async () => {
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

Deno.test("createApiClient() gets one token for many parallel calls and keeps it", async () => {
  await using service = await startTestService();
  const { client, calls } = await productionClient(service);
  const results = await Promise.all(Array.from({ length: 10 }, () => client.stats()));
  for (const result of results) dataOf(result);
  dataOf(await client.stats());
  assert.equal(calls.filter((call) => call === TOKEN_CALL).length, 1);
});

Deno.test("createApiClient() renews the token before it ends", async () => {
  await using service = await startTestService();
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

Deno.test("createApiClient() tries once more with a new token after a 401", async () => {
  await using service = await startTestService();
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

Deno.test("createApiClient() does not remember a failed token request", async () => {
  await using service = await startTestService();
  let failures = 1;
  const { client } = await productionClient(service, {
    intervene: (call) =>
      call === TOKEN_CALL && failures-- > 0 ? new Response("", { status: 503 }) : undefined,
  });
  assert.equal(errorOf(await client.stats()).kind, "failed");
  dataOf(await client.stats());
});

Deno.test("createApiClient() waits out Retry-After within its bound", async () => {
  await using service = await startTestService();
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
  }
});
