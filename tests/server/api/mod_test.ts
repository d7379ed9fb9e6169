import assert from "node:assert/strict";
import { assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import {
  BASE_URL,
  basic,
  createTestClient,
  form,
  getAccessToken,
  json,
  serveOn,
  startTestService,
  test,
  type TestRequestInit,
  type TestService,
} from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

const EMAIL = "ada@example.com";
const SOURCE = "198.51.100.77";

// Clauses: contract "Errors" 500; RateLimit draft errors.
Deno.test("createApi() answers 500 when KV fails, and writes the cause only to the log", async (t) => {
  const kv = await openMemoryKv();
  const service = await serveOn(kv);
  const client = await createTestClient(service);
  const token = await getAccessToken(service, client);
  service.clock.now += 5_000;
  kv.close();

  const secrets = [EMAIL, "ada", SOURCE, token, client.clientId, client.clientSecret];
  const requests: [path: string, init: TestRequestInit][] = [
    ["/api/v1/waitlist", json({ email: EMAIL, consent: true })],
    ["/api/v1/waitlist", form({ email: EMAIL, consent: "on" })],
    ["/api/waitlist", json({ email: EMAIL, consent: true })],
    ["/api/v1/waitlist/stats", { headers: { Authorization: `Bearer ${token}` } }],
    ["/api/v1/oauth/token", {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic(client.clientId, "a-secret-that-is-not-known") },
    }],
  ];
  for (const [path, init] of requests) {
    await t.step(path, async () => {
      service.log.length = 0;
      const response = await service.request(path, { ...init, from: SOURCE });
      const message = await assertError(response, 500, "internal_error");

      const errors = service.log.filter(({ level }) => level === "error");
      assert.equal(errors.length, 1);
      const [{ error: cause } = {}] = errors;
      assert.match(String(cause), /\n +at /, "the log has the stack");
      assert.doesNotMatch(message, /kv|database|resource|closed|exception|\bat\b|\.ts\b/i);
      const lines = JSON.stringify(service.log);
      for (const secret of secrets) assert.ok(!lines.includes(secret), `${path}: ${secret}`);
    });
  }
  await service.stop();
});

Deno.test("createApi() answers requests that need no KV operation while KV is closed", async (t) => {
  const kv = await openMemoryKv();
  const service = await serveOn(kv);
  kv.close();
  const valid = json({ email: EMAIL, consent: true });
  const requests: [path: string, init: TestRequestInit, status: number][] = [
    ["/api/v1", {}, 200],
    ["/api/v1/status", {}, 200],
    ["/api/v1/nothing", {}, 404],
    ["/api/v1/waitlist", {}, 405],
    ["/api/v1/waitlist", json({}), 422],
    ["/api/v1/waitlist", json({ website: "x" }), 200],
    ["/api/v1/waitlist/stats", {}, 401],
    ["/api/v1/waitlist/stats", { headers: { Authorization: "Bearer x" } }, 401],
    ["/sandbox/api/v1/waitlist", valid, 200],
    ["/openapi.json", {}, 200],
  ];
  for (const [path, init, status] of requests) {
    await t.step(`${path}: ${status}`, async () => {
      assert.equal((await service.request(path, init)).status, status);
    });
  }
  for (let i = 0; i < 30; i++) await service.request("/api/v1");
  await assertError(await service.request("/api/v1/waitlist", valid), 429, "rate_limited");
  assert.deepEqual(service.log.filter(({ level }) => level === "error"), []);
  await service.stop();
});

// Clauses: RateLimit draft errors.
test(
  "createApi() answers 404 with the API's headers when the path is unknown",
  async (service, t) => {
    const paths = [
      ...["/api", "/api/", "/api/v1/", "/api//v1", "/api/v1//status", "/api/v1/status/"],
      ...["/api/v1/Status", "/api/v1/%73tatus", "/api/%761/status", "/api/v1%2Fstatus"],
      ...["/api/v1/status%20", "/api/v1/status;a=b", "/api/v1/status%3Fx", "/api/v1/status.json"],
      ...["/api/v1/waitlist/stats/", "/api/v1/waitlist/ada@example.com", "/api/v1/constructor"],
      ...["/api/v1/__proto__", "/api/v2/status", "/api/status", "/api/waitlist/stats"],
      ...["/api/sandbox/v1", "/api/sandbox/api/v1", "/api/*", "/api/v1/:name"],
      `/api/${"x".repeat(4_000)}`,
    ];
    for (const prefix of PREFIXES) {
      for (const path of paths) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          await t.step(`${method} ${prefix}${path}`, async () => {
            const response = await service.request(prefix + path, { method, from: newAddress() });
            assert.equal(response.headers.get("allow"), null);
            assert.equal(response.headers.get("ratelimit-limit"), prefix === "" ? "30" : "120");
            const message = await assertError(response, 404, "not_found");
            assert.ok(message.includes(`${BASE_URL}${prefix}/api/v1.`), message);
          });
        }
      }
    }
  },
);

/** A GET over a socket, with its target as it stands. */
function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

Deno.test("createApi() answers 404 to paths with dot segments, backslashes or letters that are not ASCII", async (t) => {
  await using service = await startListeningService();
  const unknown = [
    "/api/v1/./status",
    "/api/v1/../v1/status",
    "/api/v1/%2e%2e/v1/status",
    "/api/v1\\status",
    // Deno 2.5 itself refuses a target that is not ASCII.
    ...(Deno.version.deno.startsWith("2.5.") ? [] : ["/api/v1/stat\u00fcs"]),
  ];
  for (const target of unknown) {
    await t.step(target, async () => {
      await assertError(await service.exchange(get(target)), 404, "not_found");
    });
  }
  for (const target of ["/api/v1/status", "/api/v1/status?x", "http://localhost/api/v1/status"]) {
    await t.step(target, async () => {
      assert.equal((await service.exchange(get(target))).status, 200);
    });
  }
});

Deno.test("createApi() does not read a path from the query when the request target has no path", async (t) => {
  await using service = await startListeningService();
  for (const target of ["http://localhost?/api/v1/status", "http://localhost?x=/api/v1/status"]) {
    await t.step(target, async () => {
      const response = await service.exchange(get(target));
      assert.notEqual(response.headers.get("ratelimit-limit"), "120");
    });
  }
});

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
test(
  "createApi() counts each call for exactly one limit: 'status', 'default' or 'sandbox'",
  async (service, t) => {
    const signUp = json({ email: "ada@example.com", consent: true });
    for (const limit of ["status", "default", "sandbox"] as const) {
      for (const call of CALLS[limit]) {
        await t.step(call, async () => {
          const [method = "", path = ""] = call.split(" ");
          const from = newAddress();
          await service.request(path, { ...method === "POST" && signUp, method, from });
          const expected = { ...UNTOUCHED, [limit]: UNTOUCHED[limit] - 1 };
          assert.deepEqual(await remaining(service, from), expected);
        });
      }
    }
  },
);

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
  test(`createApi() allows ${limit} requests a minute to ${path} and refuses the next request`, async (service) => {
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
const SOURCES: [hops: string, requests: [from: string, forwardedFor: string, left: string][]][] = [
  ["0", [
    ["192.0.2.1", "198.51.100.1", "29"],
    ["192.0.2.1", "198.51.100.2", "28"],
    ["::ffff:192.0.2.1", "", "27"],
    ["192.0.2.2", "", "29"],
    ["2001:db8:1:2::1", "", "29"],
    ["2001:db8:1:3::1", "", "29"],
    ["2001:db8:1:2:ffff::9", "", "28"],
    ["", "", "29"],
    ["", "", "28"],
  ]],
  ["1", [
    ["192.0.2.1", "198.51.100.1", "29"],
    ["192.0.2.1", "198.51.100.2", "29"],
    ["192.0.2.1", "203.0.113.9, 198.51.100.2:4711", "28"],
  ]],
];

for (const [TRUSTED_PROXY_HOPS, requests] of SOURCES) {
  // Clauses: contract "Limits".
  Deno.test(`createApi() counts the requests of each source address separately when TRUSTED_PROXY_HOPS is ${TRUSTED_PROXY_HOPS}`, async (t) => {
    await using service = await startTestService({ TRUSTED_PROXY_HOPS });
    for (const [from, forwardedFor, left] of requests) {
      await t.step(`${from}, forwarded for ${forwardedFor}`, async () => {
        const headers = forwardedFor ? { "X-Forwarded-For": forwardedFor } : {};
        const response = await service.request("/api/v1", { from, headers });
        assert.equal(response.headers.get("ratelimit-remaining"), left, `${from} ${forwardedFor}`);
      });
    }
  });
}
