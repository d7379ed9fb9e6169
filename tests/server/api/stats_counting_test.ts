import assert from "node:assert/strict";
import { newAddress } from "../../support/answers.ts";
import { recount } from "../../support/records.ts";
import {
  createTestClient,
  form,
  getAccessToken,
  json,
  SANDBOX_CLIENT,
  startTestService,
  type TestService,
} from "../../support/service.ts";

/** A service with a client, and short ways to sign up and to read the statistics at any time. */
async function startCounting() {
  const service = await startTestService();
  const client = await createTestClient(service);
  return {
    service,
    async signUp(fields: Record<string, unknown>): Promise<void> {
      const request = { ...json({ consent: true, ...fields }), from: newAddress() };
      const response = await service.request("/api/v1/waitlist", request);
      assert.equal(response.status, 200);
    },
    at(time: string): void {
      service.clock.now = Date.parse(time);
    },
    // A token of its own, as the clock may have passed the end of the one before.
    statistics: async () => readStatistics(service, await getAccessToken(service, client)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function readStatistics(service: TestService, token: string, prefix = "") {
  const response = await service.request(`${prefix}/api/v1/waitlist/stats`, {
    headers: { Authorization: `Bearer ${token}` },
    from: newAddress(),
  });
  assert.equal(response.status, 200);
  return await response.json();
}

// Contract, "WaitlistStats"; decisions, "Statistics": generatedAt is UTC.
Deno.test("getWaitlistStats() answers zeros and empty maps when nobody signed up", async () => {
  await using counting = await startCounting();
  assert.deepEqual(await counting.statistics(), {
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
});

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

// Decisions, "Statistics": last7Days is today and the six UTC days before it; last30Days with 29.
Deno.test("getWaitlistStats() lets a sign-up pass out of the last 7 and 30 days", async () => {
  await using counting = await startCounting();
  counting.at("2026-11-21T23:59:59.999Z");
  await counting.signUp({ email: "ada@example.com" });
  counting.at("2026-11-22T00:00:00.000Z");
  await counting.signUp({ email: "alan@example.com" });
  const cases: [now: string, last7Days: number, last30Days: number][] = [
    ["2026-11-22T00:00:00.000Z", 2, 2],
    ["2026-11-27T23:59:59.999Z", 2, 2],
    ["2026-11-28T00:00:00.000Z", 1, 2],
    ["2026-11-28T23:59:59.999Z", 1, 2],
    ["2026-11-29T00:00:00.000Z", 0, 2],
    ["2026-12-20T23:59:59.999Z", 0, 2],
    ["2026-12-21T00:00:00.000Z", 0, 1],
    ["2026-12-21T23:59:59.999Z", 0, 1],
    ["2026-12-22T00:00:00.000Z", 0, 0],
    ["2027-11-22T00:00:00.000Z", 0, 0],
  ];
  for (const [now, last7Days, last30Days] of cases) {
    counting.at(now);
    const statistics = await counting.statistics();
    assert.equal(statistics.generatedAt, now);
    assert.equal(statistics.total, 2, now);
    assert.equal(statistics.last7Days, last7Days, now);
    assert.equal(statistics.last30Days, last30Days, now);
  }
});

// Decisions, "Statistics": days are those of createdAt, which a repeat keeps.
Deno.test("getWaitlistStats() counts by the first sign-up when an address comes again", async () => {
  await using counting = await startCounting();
  await counting.signUp({ email: "ada@example.com" });
  counting.at("2026-12-05T00:00:00.000Z");
  await counting.signUp({ email: "ada@example.com", lang: "de" });
  const { total, last7Days, last30Days, byLang } = await counting.statistics();
  assert.deepEqual({ total, last7Days, last30Days }, { total: 1, last7Days: 0, last30Days: 1 });
  assert.deepEqual(byLang, { de: 1 });
});

// Decisions, "Statistics": the sandbox's example is one fixed object, generatedAt too.
Deno.test("getWaitlistStats() answers one fixed example when it is the sandbox's", async () => {
  await using service = await startTestService();
  const credentials = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const read = async () => {
    const token = await getAccessToken(service, credentials, "/sandbox");
    return await readStatistics(service, token, "/sandbox");
  };
  const example = await read();
  assert.equal(example.environment, "sandbox");
  assert.ok(
    example.total > 0 && Object.keys(example.byRole).length > 0,
    "an example shows figures",
  );
  for (const path of ["/api/v1/waitlist", "/sandbox/api/v1/waitlist"]) {
    await service.request(path, json({ email: "ada@example.com", consent: true }));
  }
  service.clock.now += 40 * 24 * 60 * 60 * 1000;
  assert.deepEqual(await read(), example);
});

// Contract, "What the service does": counts only, no personal data.
// Clauses: contract "WaitlistStats".
Deno.test("getWaitlistStats() holds nothing of an address", async () => {
  await using counting = await startCounting();
  await counting.signUp({ email: "lovelace@byron.example", lang: "de", source: "cta" });
  assert.doesNotMatch(JSON.stringify(await counting.statistics()), /lovelace|byron|@/);
});
