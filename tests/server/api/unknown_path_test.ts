import assert from "node:assert/strict";
import { assertError, newSource, PREFIXES } from "../../support/answers.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";

// Decisions, "Unknown paths under /api": 404 not_found as Error JSON, with the API's headers.
Deno.test("createApi() answers 404 with the API's headers when the path is unknown", async () => {
  await using service = await startTestService();
  const paths = [
    "/api",
    "/api/",
    "/api/v1/",
    "/api//v1",
    "/api/v1//status",
    "/api/v1/status/",
    "/api/v1/Status",
    "/api/v1/%73tatus",
    "/api/%761/status",
    "/api/v1%2Fstatus",
    "/api/v1/status%20",
    "/api/v1/status;a=b",
    "/api/v1/status%3Fx",
    "/api/v1/status.json",
    "/api/v1/waitlist/stats/",
    "/api/v1/waitlist/ada@example.com",
    "/api/v1/constructor",
    "/api/v1/__proto__",
    "/api/v2/status",
    "/api/status",
    "/api/waitlist/stats",
    "/api/sandbox/v1",
    "/api/sandbox/api/v1",
    "/api/*",
    "/api/v1/:name",
    `/api/${"x".repeat(4_000)}`,
  ];
  for (const prefix of PREFIXES) {
    for (const path of paths) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await service.request(prefix + path, { method, from: newSource() });
        assert.equal(response.headers.get("allow"), null);
        assert.equal(response.headers.get("ratelimit-limit"), prefix === "" ? "30" : "120");
        const message = await assertError(response, 404, "not_found");
        assert.ok(message.includes(`${BASE_URL}${prefix}/api/v1.`), message);
      }
    }
  }
});

Deno.test("createApi() looks at no query when it matches the path", async () => {
  await using service = await startTestService();
  for (const query of ["?", "?x=1", "?/api/v1/nothing", "?a?b#c"]) {
    assert.equal((await service.request(`/api/v1/status${query}`)).status, 200, query);
  }
});

/** A GET over a socket, with its target as it stands. */
function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

// Decisions, "Order of work": paths are matched byte for byte.
Deno.test("createApi() matches paths byte for byte when they come over a socket", async () => {
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
    await assertError(await service.exchange(get(target)), 404, "not_found");
  }
  for (const target of ["/api/v1/status", "/api/v1/status?x", "http://localhost/api/v1/status"]) {
    assert.equal((await service.exchange(get(target))).status, 200, target);
  }
});

Deno.test("createApi() takes no path from the query of an address without one", async () => {
  await using service = await startListeningService();
  for (const target of ["http://localhost?/api/v1/status", "http://localhost?x=/api/v1/status"]) {
    const response = await service.exchange(get(target));
    assert.notEqual(response.headers.get("ratelimit-limit"), "120", target);
  }
});
