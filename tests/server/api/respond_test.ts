import assert from "node:assert/strict";
import { listen } from "../../support/listen.ts";
import { startTestService } from "../../support/service.ts";

// The response of a shared answer is prepared once and cloned for each call.
Deno.test("respond() gives each call its own id, count and text when calls share an answer", async () => {
  await using service = await startTestService();
  const ids = new Set<string | null>();
  const assertAnswer = async (from: string, status: number, remaining: number) => {
    const response = await service.request("/api/v1/status", { from });
    assert.equal(response.status, status);
    assert.equal(response.headers.get("ratelimit-remaining"), String(remaining));
    assert.equal(response.headers.get("retry-after"), status === 429 ? "40" : null);
    const body = await response.json();
    assert.equal(body.status ?? body.error, status === 429 ? "rate_limited" : "ok");
    ids.add(response.headers.get("x-request-id"));
  };
  for (let call = 1; call <= 120; call++) await assertAnswer("192.0.2.1", 200, 120 - call);
  await assertAnswer("192.0.2.1", 429, 0);
  await assertAnswer("192.0.2.2", 200, 119);
  await assertAnswer("192.0.2.1", 429, 0);
  assert.equal(ids.size, 123);
});

Deno.test("respond() names the limit and the second of each call when calls share an answer", async () => {
  await using service = await startTestService();
  const seen = async (path: string, init?: RequestInit) => {
    const { status, headers } = await service.request(path, init);
    return [
      status,
      ...["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`)),
    ];
  };
  assert.deepEqual(await seen("/api/v1"), [200, "30", "29", "40"]);
  assert.deepEqual(await seen("/sandbox/api/v1"), [200, "120", "119", "40"]);
  service.clock.now += 1_000;
  assert.deepEqual(await seen("/api/v1"), [200, "30", "28", "39"]);
  for (let call = 0; call < 28; call++) await seen("/api/v1");
  // Two limits refuse on one path.
  assert.deepEqual(await seen("/api/v1/status", { method: "POST" }), [429, "30", "0", "39"]);
  for (let call = 0; call < 120; call++) await seen("/api/v1/status");
  assert.deepEqual(await seen("/api/v1/status"), [429, "120", "0", "39"]);
  assert.deepEqual(await seen("/api/v1/status", { method: "POST" }), [429, "30", "0", "39"]);
});

Deno.test("respond() sends the text in one piece of known length when calls share an answer", async () => {
  await using service = await listen();
  for (let call = 0; call < 3; call++) {
    const response = await fetch(`${service.baseUrl}/api/v1`, {
      headers: { "Accept-Encoding": "identity" },
    });
    const text = await response.text();
    assert.equal(response.headers.get("content-length"), String(text.length));
    assert.equal(JSON.parse(text).service, "waitlist-web");
  }
});
