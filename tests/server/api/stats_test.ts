/**
 * `getWaitlistStats`: its answers. Which tokens open it is in `stats_access_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { assertApiHeaders, assertError, headersOf } from "../../support/answers.ts";
import {
  createTestClient,
  getAccessToken,
  json,
  START,
  startTestService,
} from "../../support/service.ts";
import { credentialsFor, ENVIRONMENTS, forgeToken, requestStats } from "../../support/tokens.ts";

// Clauses: RFC 6750 §2.1.
Deno.test("getWaitlistStats() answers the counts of this moment in production", async () => {
  await using service = await startTestService();
  const authorization = `Bearer ${await getAccessToken(service, await createTestClient(service))}`;
  const before = await requestStats(service, { authorization });
  assert.equal(before.status, 200);
  assertApiHeaders(before);
  assert.equal(before.headers.get("content-type"), "application/json");
  assert.equal(before.headers.get("www-authenticate"), null);
  assert.deepEqual(await before.json(), {
    total: 0,
    last7Days: 0,
    last30Days: 0,
    byLang: {},
    byRole: {},
    byBuilding: {},
    bySource: {},
    generatedAt: "2026-11-21T12:00:20.000Z",
    environment: "production",
  });

  await service.request(
    "/api/v1/waitlist",
    json({ email: "ada@example.com", consent: true, source: "hero" }),
  );
  await service.request(
    "/api/v1/waitlist",
    json({ email: "karl@example.com", consent: true, lang: "de" }),
  );
  service.clock.now = START + 1_500;
  const after = await requestStats(service, { authorization });
  assert.equal(after.status, 200);
  assert.deepEqual(await after.json(), {
    total: 2,
    last7Days: 2,
    last30Days: 2,
    byLang: { de: 1, en: 1 },
    byRole: {},
    byBuilding: {},
    bySource: { hero: 1 },
    generatedAt: "2026-11-21T12:00:21.500Z",
    environment: "production",
  });
});

// Clauses: contract "Environments".
Deno.test("getWaitlistStats() answers one fixed example in the sandbox whenever it is asked", async () => {
  await using service = await startTestService();
  const [, sandbox] = ENVIRONMENTS;
  const { prefix } = sandbox;
  const credentials = await credentialsFor(service, sandbox);
  const ask = async () => {
    const authorization = `Bearer ${await getAccessToken(service, credentials, prefix)}`;
    const response = await requestStats(service, { prefix, authorization });
    assert.equal(response.status, 200);
    assertApiHeaders(response);
    return await response.text();
  };
  const example = await ask();
  await service.request(
    `${prefix}/api/v1/waitlist`,
    json({ email: "ada@example.com", consent: true }),
  );
  service.clock.now += 40 * 24 * 60 * 60 * 1000;
  assert.equal(await ask(), example);

  const stats = JSON.parse(example);
  assert.deepEqual(Object.keys(stats), [
    "total",
    "last7Days",
    "last30Days",
    "byLang",
    "byRole",
    "byBuilding",
    "bySource",
    "generatedAt",
    "environment",
  ]);
  assert.equal(stats.environment, "sandbox");
  assert.equal(stats.generatedAt, new Date(stats.generatedAt).toISOString());
  // An example that could be: no part is larger than the whole.
  assert.ok(stats.last7Days <= stats.last30Days && stats.last30Days <= stats.total);
  for (const map of ["byLang", "byRole", "byBuilding", "bySource"]) {
    const counts: number[] = Object.values(stats[map]);
    assert.ok(counts.length > 0, map);
    assert.ok(counts.reduce((sum, count) => sum + count) <= stats.total, map);
  }
});

// Clauses: RFC 9110 §9.3.2.
Deno.test("getWaitlistStats() answers a GET's headers without a body when asked by HEAD", async () => {
  await using service = await startTestService();
  for (const environment of ENVIRONMENTS) {
    const { prefix } = environment;
    const forged = { claims: { scope: undefined } };
    for (
      const [status, authorization] of [
        [200, `Bearer ${await forgeToken(service, environment)}`],
        [401, "Bearer x"],
        [403, `Bearer ${await forgeToken(service, environment, forged)}`],
      ] as const
    ) {
      const get = await requestStats(service, { prefix, authorization });
      const head = await requestStats(service, { prefix, authorization, method: "HEAD" });
      assert.equal(head.status, status);
      const { length } = await get.text();
      assert.equal(head.headers.get("content-length"), String(length));
      const { "content-length": _, ...headers } = headersOf(head);
      assert.deepEqual(headers, headersOf(get));
      assert.equal(await head.text(), "");
    }
  }
});

Deno.test("getWaitlistStats() refuses other methods, before it looks for a token, when called", async () => {
  await using service = await startTestService();
  for (const environment of ENVIRONMENTS) {
    const valid = { authorization: `Bearer ${await forgeToken(service, environment)}` };
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const token of [{}, valid]) {
        const request = { ...token, method, prefix: environment.prefix };
        const response = await requestStats(service, request);
        assert.equal(response.headers.get("allow"), "GET, HEAD");
        assert.equal(response.headers.get("www-authenticate"), null);
        await assertError(response, 405, "method_not_allowed");
      }
    }
  }
});

Deno.test("getWaitlistStats() answers 429, before it looks for a token, when the limit is used up", async () => {
  await using service = await startTestService();
  const from = "192.0.2.2";
  for (let count = 0; count < 30; count++) {
    await assertError(await requestStats(service, { from }), 401, "unauthorized");
  }
  const response = await requestStats(service, { from });
  assert.equal(response.headers.get("retry-after"), "40");
  assert.equal(response.headers.get("www-authenticate"), null);
  await assertError(response, 429, "rate_limited");
});

Deno.test("getWaitlistStats() answers 500 when KV fails", async () => {
  const service = await startTestService();
  const authorization = `Bearer ${await forgeToken(service, ENVIRONMENTS[0])}`;
  service.kv.close();
  const response = await requestStats(service, { authorization });
  await assertError(response, 500, "internal_error");
  await service.stop();
});
