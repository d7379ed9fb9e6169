import assert from "node:assert/strict";
import { startTestService, type TestRequestInit, type TestService } from "../support/service.ts";

const MINUTE_END = Date.parse("2026-11-21T12:01:00.000Z");

/** Requests that are let through in a minute, for each source address. */
const PAGES_LIMIT = 1_200;

/** What is neither of the APIs: pages, documents, and paths that nothing is at. */
const PATHS = [
  ...["/", "/de/", "/privacy", "/developers/", "/assets/site.css", "/assets/none", "/nothing"],
  ...["/openapi.json", "/sandbox/openapi.json", "/openapi.json.md", "/robots.txt", "/sitemap.xml"],
  ...["/llms.txt", "/.well-known/security.txt", "/.well-known/api-catalog", "/operator/v1/clients"],
  ...["/.well-known/oauth-authorization-server", "/apis", "/API/v1"],
  ...["/place/", "/place/?t=x", "/de/platz/", "/place/leave?t=x", "/place/confirm", "/place/data"],
];

async function statusOf(
  service: TestService,
  path: string,
  init?: TestRequestInit,
): Promise<number> {
  const response = await service.request(path, init);
  await response.body?.cancel();
  return response.status;
}

async function usePagesUp(service: TestService): Promise<void> {
  for (let call = 0; call < PAGES_LIMIT; call++) {
    assert.notEqual(await statusOf(service, PATHS[call % PATHS.length] ?? "/"), 429, `${call}`);
  }
}

Deno.test("createApp() allows 1200 requests a minute and refuses the next at what is no API", async () => {
  await using service = await startTestService();
  await usePagesUp(service);
  service.clock.now = MINUTE_END - 2_500;
  for (const path of PATHS) {
    const refused = await service.request(path);
    assert.equal(refused.status, 429, path);
    assert.equal(refused.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(refused.headers.get("retry-after"), "3");
    assert.equal(refused.headers.get("cache-control"), "no-store");
    assert.match(await refused.text(), /^Too many requests from this address; .+ 3 s\.\n$/);
  }
  const head = await service.request("/", { method: "HEAD" });
  assert.equal(head.status, 429);
  assert.equal(await head.text(), "");
  assert.equal(await statusOf(service, "/", { method: "POST" }), 429);
  assert.equal(await statusOf(service, "/", { from: "192.0.2.2" }), 200, "another address");
  // The APIs are counted apart.
  for (const [path, limit] of [["/api/v1/status", 120], ["/api/v1", 30]] as const) {
    const { status, headers } = await service.request(path);
    assert.equal(status, 200, path);
    assert.equal(headers.get("ratelimit-remaining"), String(limit - 1), path);
  }

  service.clock.now = MINUTE_END;
  assert.equal(await statusOf(service, "/"), 200);
});

Deno.test("createApp() names no limit in the headers of what is no API", async () => {
  await using service = await startTestService();
  for (const path of PATHS) {
    const { headers, body } = await service.request(path);
    await body?.cancel();
    const names = [...headers.keys()].filter((name) => name.startsWith("ratelimit-"));
    assert.deepEqual(names, [], path);
  }
});
