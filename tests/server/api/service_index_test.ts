import assert from "node:assert/strict";
import { assertApiHeaders } from "../../support/answers.ts";
import { BASE_URL, startTestService, test } from "../../support/service.ts";

// The test service holds every answer against the document, so that the body also keeps the schema ServiceIndex.
// Clauses: contract "What the service does" index; RFC 9727 §3.
Deno.test("index() lists the URLs of production under /api/v1, and the URLs of the sandbox under /sandbox/api/v1", async (t) => {
  await using service = await startTestService({ SERVICE_NAME: "acme" });
  const environments = [
    { environment: "production", prefix: "", limit: "30" },
    { environment: "sandbox", prefix: "/sandbox", limit: "120" },
  ];
  for (const { environment, prefix, limit } of environments) {
    await t.step(environment, async () => {
      const response = await service.request(`${prefix}/api/v1`);
      const head = await service.request(`${prefix}/api/v1`, { method: "HEAD" });
      const links = `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog", ` +
        `<${BASE_URL}${prefix}/openapi.json>; rel="service-desc"; type="application/json", ` +
        `<${BASE_URL}/developers/>; rel="service-doc"; type="text/html"`;
      for (const { status, headers } of [response, head]) {
        assert.equal(status, 200);
        assert.equal(headers.get("link"), links);
      }
      assertApiHeaders(response);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("ratelimit-limit"), limit);
      assert.deepEqual(await response.json(), {
        service: "acme-web",
        apiVersion: "1",
        environment,
        status: `${BASE_URL}${prefix}/api/v1/status`,
        token: `${BASE_URL}${prefix}/api/v1/oauth/token`,
        waitlist: `${BASE_URL}${prefix}/api/v1/waitlist`,
        stats: `${BASE_URL}${prefix}/api/v1/waitlist/stats`,
        openapi: `${BASE_URL}${prefix}/openapi.json`,
        docs: `${BASE_URL}/developers/`,
        discovery: {
          authorizationServer: `${BASE_URL}/.well-known/oauth-authorization-server${prefix}`,
          protectedResource: `${BASE_URL}/.well-known/oauth-protected-resource${prefix}/api/v1`,
          apiCatalog: `${BASE_URL}/.well-known/api-catalog`,
        },
      });
    });
  }
});

// Clauses: service "Configuration".
test("index() writes URLs that begin with BASE_URL when the request has another Host", async (service) => {
  const headers = { "Host": "evil.example", "X-Forwarded-Host": "evil.example" };
  const response = await service.request("/api/v1", { headers });
  assert.ok(!(await response.text()).includes("evil"));
});
