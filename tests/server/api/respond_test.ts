import assert from "node:assert/strict";
import { listen } from "../../support/listen.ts";
import { startTestService, type TestRequestInit } from "../../support/service.ts";

Deno.test("respond() names the limit and the second of each call when calls share an answer", async () => {
  await using service = await startTestService();
  const ids: (string | null)[] = [];
  const seen = async (path: string, init?: TestRequestInit) => {
    const { status, headers } = await service.request(path, init);
    ids.push(headers.get("x-request-id"));
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
  assert.deepEqual(await seen("/api/v1/status", { from: "192.0.2.2" }), [200, "120", "119", "39"]);
  assert.deepEqual(await seen("/api/v1/status", { method: "POST" }), [429, "30", "0", "39"]);
  assert.equal(new Set(ids).size, ids.length, "each call has an id of its own");
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
