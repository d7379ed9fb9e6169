import assert from "node:assert/strict";
import { BASE_URL, startTestService } from "../../support/service.ts";

// Clauses: contract "Status".
Deno.test("getStatus() answers the status of each environment when asked by GET", async () => {
  await using service = await startTestService();
  for (const [prefix, environment] of [["", "production"], ["/sandbox", "sandbox"]]) {
    const response = await service.request(`${prefix}/api/v1/status`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("x-api-version"), "1");
    assert.equal(response.headers.get("ratelimit-limit"), "120");
    assert.equal(response.headers.get("ratelimit-remaining"), "119");
    assert.equal(response.headers.get("ratelimit-reset"), "40");
    assert.equal(response.headers.get("ratelimit-policy"), "120;w=60");
    assert.deepEqual(await response.json(), {
      status: "ok",
      service: "waitlist-web",
      apiVersion: "1",
      environment,
      time: "2026-11-21T12:00:20.000Z",
      docs: `${BASE_URL}/developers/`,
      openapi: `${BASE_URL}${prefix}/openapi.json`,
    });
  }
});
