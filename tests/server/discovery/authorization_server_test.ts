import assert from "node:assert/strict";
import { BASE_URL, startTestService } from "../../support/service.ts";

Deno.test("authorizationServerMetadata() describes each environment's issuer when it is served", async () => {
  await using service = await startTestService();
  for (const prefix of ["", "/sandbox"]) {
    const response = await service.request(`/.well-known/oauth-authorization-server${prefix}`);
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      issuer: `${BASE_URL}${prefix}`,
      token_endpoint: `${BASE_URL}${prefix}/api/v1/oauth/token`,
      scopes_supported: ["waitlist:stats:read"],
      response_types_supported: [],
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      service_documentation: `${BASE_URL}/developers/`,
      protected_resources: [`${BASE_URL}${prefix}/api/v1`],
    });
  }
});
