import assert from "node:assert/strict";
import { assertError } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { form, json, startTestService, type TestService } from "../../support/service.ts";

const MINUTE_END = Date.parse("2026-11-21T12:01:00.000Z");

/** What each of an address's three windows has left, the next request not counted. */
async function remaining(
  service: TestService,
  from = "192.0.2.1",
): Promise<Record<string, number>> {
  const left = async (path: string) => {
    const { headers } = await service.request(path, { from });
    return Number(headers.get("ratelimit-remaining")) + 1;
  };
  return {
    status: await left("/api/v1/status"),
    sandbox: await left("/sandbox/api/v1/status"),
    default: await left("/api/v1"),
  };
}

const UNTOUCHED = { status: 120, sandbox: 120, default: 30 };

// Contract, "Limits"; decisions, "Limits": which call counts under which limit.
// Clauses: contract "Limits".
Deno.test("createApi() counts each call under its limit and no other", async () => {
  const valid = { email: "ada@example.com", consent: true };
  const cases: [limit: keyof typeof UNTOUCHED, method: string, path: string, init?: RequestInit][] =
    [
      ["status", "GET", "/api/v1/status"],
      ["status", "HEAD", "/api/v1/status"],
      ["status", "GET", "/api/v1/status?x=1"],
      ["default", "POST", "/api/v1/status"],
      ["default", "OPTIONS", "/api/v1/status"],
      ["default", "GET", "/api/v1"],
      ["default", "HEAD", "/api/v1"],
      ["default", "POST", "/api/v1/waitlist", json(valid)],
      ["default", "POST", "/api/v1/waitlist", json({ ...valid, website: "x" })],
      ["default", "POST", "/api/v1/waitlist", form({ ...valid, consent: "on" })],
      ["default", "POST", "/api/v1/waitlist", json({})],
      ["default", "POST", "/api/waitlist", json(valid)],
      ["default", "POST", "/api/v1/oauth/token", form({})],
      ["default", "GET", "/api/v1/waitlist/stats"],
      // 404s and 405s under /api count too.
      ["default", "GET", "/api"],
      ["default", "GET", "/api/v1/"],
      ["default", "GET", "/api/v1/status/"],
      ["default", "PUT", "/api/v1/waitlist"],
      ["sandbox", "GET", "/sandbox/api/v1/status"],
      ["sandbox", "POST", "/sandbox/api/v1/status"],
      ["sandbox", "GET", "/sandbox/api/v1"],
      ["sandbox", "POST", "/sandbox/api/v1/waitlist", json(valid)],
      ["sandbox", "POST", "/sandbox/api/waitlist", json(valid)],
      ["sandbox", "POST", "/sandbox/api/v1/oauth/token", form({})],
      ["sandbox", "GET", "/sandbox/api/v1/waitlist/stats"],
      ["sandbox", "GET", "/sandbox/api/nothing"],
      ["sandbox", "DELETE", "/sandbox/api/v1/waitlist"],
    ];
  for (const [limit, method, path, init] of cases) {
    await using service = await startTestService();
    await service.request(path, { ...init, method });
    const expected = { ...UNTOUCHED, [limit]: UNTOUCHED[limit] - 1 };
    assert.deepEqual(await remaining(service), expected, `${method} ${path}`);
  }
});

const CALLS = [
  { path: "/api/v1/status", limit: 120 },
  { path: "/api/v1", limit: 30 },
  { path: "/sandbox/api/v1/status", limit: 120 },
  { path: "/sandbox/api/v1", limit: 120 },
];

// Contract, "Limits": when exceeded, 429 rate_limited with Retry-After.
for (const { path, limit } of CALLS) {
  // Clauses: RFC 9110 §10.2.3; RFC 6585 §4 explanation; RFC 6585 §4 Retry-After;
  // RateLimit draft RateLimit-Limit; RateLimit draft RateLimit-Policy;
  // RateLimit draft RateLimit-Remaining; RateLimit draft RateLimit-Reset;
  // RateLimit draft Retry-After.
  Deno.test(`createApi() allows ${limit} requests a minute and refuses the next at ${path}`, async () => {
    await using service = await startTestService();
    for (let left = limit - 1; left >= 0; left--) {
      const { status, headers } = await service.request(path);
      assert.equal(status, 200);
      assert.equal(headers.get("ratelimit-limit"), String(limit));
      assert.equal(headers.get("ratelimit-remaining"), String(left));
      assert.equal(headers.get("ratelimit-policy"), `${limit};w=60`);
      assert.equal(headers.get("retry-after"), null);
    }
    service.clock.now = MINUTE_END - 2_500;
    const refused = await service.request(path);
    assert.equal(refused.headers.get("ratelimit-remaining"), "0");
    assert.equal(refused.headers.get("ratelimit-reset"), "3");
    assert.equal(refused.headers.get("retry-after"), "3");
    const message = await assertError(refused, 429, "rate_limited");
    assert.match(message, /\b3 s\b/);

    service.clock.now = MINUTE_END - 1;
    const last = await service.request(path, { method: "HEAD" });
    assert.equal(last.status, 429);
    assert.equal(last.headers.get("retry-after"), "1");
    assert.equal(await last.text(), "");

    service.clock.now = MINUTE_END;
    const { status, headers } = await service.request(path);
    assert.equal(status, 200);
    assert.equal(headers.get("ratelimit-remaining"), String(limit - 1));
    assert.equal(headers.get("ratelimit-reset"), "60");
  });
}

// Contract, error table: 429 applies to all operations.
// Clauses: RFC 6749 §2.3.1 brute force; RFC 6585 §4 caching.
Deno.test("createApi() refuses every operation when its limit is used up", async () => {
  await using service = await startTestService();
  const valid = { email: "ada@example.com", consent: true };
  const operations: [path: string, init: RequestInit][] = [
    ["/api/v1", {}],
    ["/api/v1/waitlist", json(valid)],
    ["/api/v1/waitlist", form({ ...valid, consent: "on" })],
    ["/api/v1/waitlist", json({ ...valid, website: "x" })],
    ["/api/waitlist", json(valid)],
    ["/api/v1/oauth/token", form({ grant_type: "client_credentials" })],
    ["/api/v1/waitlist/stats", {}],
    ["/api/v1/nothing", {}],
    ["/api/v1/waitlist", { method: "PUT" }],
  ];
  for (const [prefix, limit] of [["", 30], ["/sandbox", 120]] as const) {
    for (let i = 0; i < limit; i++) await service.request(`${prefix}/api/v1`);
    for (const [path, init] of operations) {
      const response = await service.request(prefix + path, init);
      assert.equal(response.headers.get("retry-after"), "40");
      await assertError(response, 429, "rate_limited");
    }
  }
  await assertNothingStored(service.kv);
});

// Decisions, "Limits": a window of its own per source address; IPv6 by its /64; mapped IPv4 as IPv4.
// Clauses: contract "Limits".
Deno.test("createApi() counts each source address by itself", async () => {
  await using service = await startTestService();
  const left = async (from: string) => {
    const { headers } = await service.request("/api/v1", { from });
    return headers.get("ratelimit-remaining");
  };
  assert.equal(await left("192.0.2.1"), "29");
  assert.equal(await left("192.0.2.2"), "29");
  assert.equal(await left("::ffff:192.0.2.1"), "28");
  assert.equal(await left("2001:db8:1:2::1"), "29");
  assert.equal(await left("2001:db8:1:2:ffff::9"), "28");
  assert.equal(await left("2001:db8:1:3::1"), "29");
});

// Decisions, `TRUSTED_PROXY_HOPS`.
Deno.test("createApi() counts by X-Forwarded-For only when proxies are trusted", async () => {
  for (
    const [hops, expected] of [["0", ["29", "28", "27"]], ["1", ["29", "29", "28"]]] as const
  ) {
    await using service = await startTestService({ TRUSTED_PROXY_HOPS: hops });
    const left = [];
    for (const client of ["198.51.100.1", "198.51.100.2", "203.0.113.9, 198.51.100.2:4711"]) {
      const headers = { "X-Forwarded-For": client };
      const response = await service.request("/api/v1", { headers });
      left.push(response.headers.get("ratelimit-remaining"));
    }
    assert.deepEqual(left, expected, `${hops} hops`);
  }
});
