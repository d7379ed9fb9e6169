/** `getWaitlistStats`: its answers. Which tokens open it is in `stats_access_test.ts`. @module */
import assert from "node:assert/strict";
import { assertApiHeaders, headersOf } from "../../support/answers.ts";
import { recount } from "../../support/records.ts";
import { createTestClient, form, getAccessToken, json, START } from "../../support/service.ts";
import { startTestService } from "../../support/service.ts";
import { credentialsFor, ENVIRONMENTS, forgeToken, requestStats } from "../../support/tokens.ts";

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
  assert.equal(stats.environment, "sandbox");
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

// Clauses: contract "WaitlistStats".
Deno.test("getWaitlistStats() counts each address once, however it signed up, and holds nothing of it", async () => {
  await using service = await startTestService();
  const signUp = (fields: Record<string, unknown>, path = "/api/v1/waitlist") =>
    service.request(path, json({ consent: true, ...fields }));
  await signUp({ email: "ada@example.com", lang: "de", source: "hero" });
  await signUp({ email: "alan@example.com", source: "cta" });
  await signUp({ email: "grace@example.com" });
  await signUp({ email: "GRACE@example.com" });
  await service.request("/api/waitlist", form({ email: "kurt@example.com", consent: "on" }));
  await signUp({ email: "no" });
  await signUp({ email: "honeypot@example.com", website: "x" });
  await signUp({ email: "x@example.com" }, "/sandbox/api/v1/waitlist");
  service.clock.now = START + 1_500;
  const token = await getAccessToken(service, await createTestClient(service));
  const text = await (await requestStats(service, { authorization: `Bearer ${token}` })).text();
  const { generatedAt, environment, ...counts } = JSON.parse(text);
  assert.deepEqual([generatedAt, environment], ["2026-11-21T12:00:21.500Z", "production"]);
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
  assert.doesNotMatch(text, /ada|alan|grace|kurt|@/);
});
