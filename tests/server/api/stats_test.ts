/**
 * `getWaitlistStats`: its answers. Which tokens open it is in `stats_access_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { assertApiHeaders, assertError, headersOf } from "../../support/answers.ts";
import { recount } from "../../support/records.ts";
import {
  createTestClient,
  form,
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

/** A service with a client, and short ways to sign up and to read the statistics. */
async function startCounting() {
  const service = await startTestService();
  const client = await createTestClient(service);
  return {
    service,
    async signUp(fields: Record<string, unknown>): Promise<void> {
      const request = json({ consent: true, ...fields });
      assert.equal((await service.request("/api/v1/waitlist", request)).status, 200);
    },
    async statistics() {
      // A token of its own, as the clock may have passed the end of the one before.
      const authorization = `Bearer ${await getAccessToken(service, client)}`;
      const response = await requestStats(service, { authorization });
      assert.equal(response.status, 200);
      return await response.json();
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

// Decisions, "Statistics": the figures equal a recount; "Sign-up": a record without an answer is in none
// of that map's buckets.
Deno.test("getWaitlistStats() counts each address once, however it signed up", async () => {
  await using counting = await startCounting();
  const { service, signUp } = counting;
  await signUp({ email: "ada@example.com", lang: "de", source: "hero" });
  await signUp({ email: "alan@example.com", source: "cta" });
  await signUp({ email: "grace@example.com" });
  await signUp({ email: "GRACE@example.com" });
  await service.request("/api/waitlist", form({ email: "kurt@example.com", consent: "on" }));
  await service.request("/api/v1/waitlist", json({ email: "no", consent: true }));
  await signUp({ email: "honeypot@example.com", website: "x" });
  await service.request(
    "/sandbox/api/v1/waitlist",
    json({ email: "x@example.com", consent: true }),
  );
  const { generatedAt: _, environment: __, ...counts } = await counting.statistics();
  assert.deepEqual(counts, {
    total: 4,
    last7Days: 4,
    last30Days: 4,
    byLang: { de: 1, en: 3 },
    byRole: {},
    byBuilding: {},
    bySource: { cta: 1, hero: 1 },
  });
  assert.deepEqual(counts, await recount(service.kv, service.clock.now));
});

// Decisions, "Sign-up": the counters move with the merge; all maps leave out keys that count zero.
Deno.test("getWaitlistStats() moves the counts with a merge and leaves out zeros", async () => {
  await using counting = await startCounting();
  const email = "ada@example.com";
  const steps: [fields: Record<string, unknown>, byLang: unknown, bySource: unknown][] = [
    [{ email }, { en: 1 }, {}],
    [{ email, lang: "de" }, { de: 1 }, {}],
    [{ email }, { de: 1 }, {}],
    [{ email, source: "hero" }, { de: 1 }, { hero: 1 }],
    [{ email, source: "cta" }, { de: 1 }, { cta: 1 }],
    [{ email, lang: "en" }, { en: 1 }, { cta: 1 }],
  ];
  for (const [fields, byLang, bySource] of steps) {
    await counting.signUp(fields);
    const statistics = await counting.statistics();
    assert.equal(statistics.total, 1);
    assert.deepEqual(statistics.byLang, byLang, JSON.stringify(fields));
    assert.deepEqual(statistics.bySource, bySource, JSON.stringify(fields));
  }
});

// Decisions, "Statistics": days are those of createdAt, which a repeat keeps.
Deno.test("getWaitlistStats() counts by the first sign-up when an address comes again", async () => {
  await using counting = await startCounting();
  await counting.signUp({ email: "ada@example.com" });
  counting.service.clock.now = Date.parse("2026-12-05T00:00:00.000Z");
  await counting.signUp({ email: "ada@example.com", lang: "de" });
  const { total, last7Days, last30Days, byLang } = await counting.statistics();
  assert.deepEqual({ total, last7Days, last30Days }, { total: 1, last7Days: 0, last30Days: 1 });
  assert.deepEqual(byLang, { de: 1 });
});

// Contract, "What the service does": counts only, no personal data.
// Clauses: contract "WaitlistStats".
Deno.test("getWaitlistStats() holds nothing of an address", async () => {
  await using counting = await startCounting();
  await counting.signUp({ email: "lovelace@byron.example", lang: "de", source: "cta" });
  assert.doesNotMatch(JSON.stringify(await counting.statistics()), /lovelace|byron|@/);
});
