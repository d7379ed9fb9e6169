import assert from "node:assert/strict";
import { assertError, newAddress } from "../../support/answers.ts";
import { json, startTestService, type TestService } from "../../support/service.ts";

const MINUTE_END = Date.parse("2026-11-21T12:01:00.000Z");

/** What each of an address's three windows has left, the next request not counted. */
async function remaining(service: TestService, from: string): Promise<Record<string, number>> {
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

/** The calls that count under each limit. A POST sends a valid sign-up. */
const CALLS: Record<keyof typeof UNTOUCHED, string[]> = {
  status: ["GET /api/v1/status", "HEAD /api/v1/status", "GET /api/v1/status?x=1"],
  default: [
    ...["POST /api/v1/status", "OPTIONS /api/v1/status", "GET /api/v1", "HEAD /api/v1"],
    ...["POST /api/v1/waitlist", "POST /api/waitlist", "POST /api/v1/oauth/token"],
    "GET /api/v1/waitlist/stats",
    // 404s and 405s under /api count too.
    ...["GET /api", "GET /api/v1/", "GET /api/v1/status/", "PUT /api/v1/waitlist"],
  ],
  sandbox: [
    ...["GET /sandbox/api/v1/status", "POST /sandbox/api/v1/status", "GET /sandbox/api/v1"],
    ...["POST /sandbox/api/v1/waitlist", "POST /sandbox/api/waitlist"],
    ...["POST /sandbox/api/v1/oauth/token", "GET /sandbox/api/v1/waitlist/stats"],
    ...["GET /sandbox/api/nothing", "DELETE /sandbox/api/v1/waitlist"],
  ],
};

// Clauses: contract "Limits".
Deno.test("createApi() counts each call under its limit and no other", async () => {
  await using service = await startTestService();
  const signUp = json({ email: "ada@example.com", consent: true });
  for (const limit of ["status", "default", "sandbox"] as const) {
    for (const call of CALLS[limit]) {
      const [method = "", path = ""] = call.split(" ");
      const from = newAddress();
      await service.request(path, { ...method === "POST" && signUp, method, from });
      const expected = { ...UNTOUCHED, [limit]: UNTOUCHED[limit] - 1 };
      assert.deepEqual(await remaining(service, from), expected, call);
    }
  }
});

for (
  const [path, limit] of [
    ["/api/v1/status", 120],
    ["/api/v1", 30],
    ["/sandbox/api/v1/status", 120],
    ["/sandbox/api/v1", 120],
  ] as const
) {
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

/** Requests that come one after the other: their addresses, and what their windows have left. */
const SOURCES: Record<string, [from: string, forwardedFor: string | undefined, left: string][]> = {
  "IPv6 by the /64, and a mapped address as IPv4": [
    ["192.0.2.1", undefined, "29"],
    ["192.0.2.2", undefined, "29"],
    ["::ffff:192.0.2.1", undefined, "28"],
    ["2001:db8:1:2::1", undefined, "29"],
    ["2001:db8:1:2:ffff::9", undefined, "28"],
    ["2001:db8:1:3::1", undefined, "29"],
  ],
  "together where there is none": [["", undefined, "29"], ["", undefined, "28"]],
  "whatever X-Forwarded-For says where no proxy is trusted": [
    ["192.0.2.1", "198.51.100.1", "29"],
    ["192.0.2.1", "198.51.100.2", "28"],
  ],
  "by X-Forwarded-For behind a trusted proxy": [
    ["192.0.2.1", "198.51.100.1", "29"],
    ["192.0.2.1", "198.51.100.2", "29"],
    ["192.0.2.1", "203.0.113.9, 198.51.100.2:4711", "28"],
  ],
};

for (const [name, requests] of Object.entries(SOURCES)) {
  // Clauses: contract "Limits".
  Deno.test(`createApi() counts each source address by itself, ${name}`, async () => {
    const TRUSTED_PROXY_HOPS = name.includes("a trusted proxy") ? "1" : "0";
    await using service = await startTestService({ TRUSTED_PROXY_HOPS });
    for (const [from, forwardedFor, left] of requests) {
      const init = { from, ...forwardedFor && { headers: { "X-Forwarded-For": forwardedFor } } };
      const { headers } = await service.request("/api/v1", init);
      assert.equal(headers.get("ratelimit-remaining"), left, `${from} ${forwardedFor}`);
    }
  });
}
