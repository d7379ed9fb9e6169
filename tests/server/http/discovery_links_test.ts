import assert from "node:assert/strict";
import { BASE_URL, startTestService } from "../../support/service.ts";

Deno.test("discoveryLinks() stand on the index of each environment when it is asked by GET or HEAD", async () => {
  await using service = await startTestService();
  for (const prefix of ["", "/sandbox"]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await service.request(`${prefix}/api/v1`, { method });
      assert.equal(response.status, 200);
      assert.equal(
        response.headers.get("link"),
        `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog", ` +
          `<${BASE_URL}${prefix}/openapi.json>; rel="service-desc"; type="application/json", ` +
          `<${BASE_URL}/developers/>; rel="service-doc"; type="text/html"`,
      );
    }
  }
});
