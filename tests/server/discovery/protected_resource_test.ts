import assert from "node:assert/strict";
import {
  BASE_URL,
  getAccessToken,
  SANDBOX_CLIENT,
  startTestService,
} from "../../support/service.ts";

Deno.test("protectedResourceMetadata() describes each environment's API when it is served", async () => {
  await using service = await startTestService();
  for (const [prefix, name] of [["", "production"], ["/sandbox", "sandbox"]]) {
    const response = await service.request(
      `/.well-known/oauth-protected-resource${prefix}/api/v1`,
    );
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      resource: `${BASE_URL}${prefix}/api/v1`,
      authorization_servers: [`${BASE_URL}${prefix}`],
      scopes_supported: ["waitlist:stats:read"],
      bearer_methods_supported: ["header"],
      resource_name: `Waitlist API (${name})`,
      resource_documentation: `${BASE_URL}/developers/`,
    });
  }
});

Deno.test("protectedResourceMetadata() is where the challenge points when a stats call is refused", async () => {
  await using service = await startTestService();
  for (const prefix of ["", "/sandbox"]) {
    const refusal = await service.request(`${prefix}/api/v1/waitlist/stats`);
    assert.equal(refusal.status, 401);
    const challenge = refusal.headers.get("www-authenticate") ?? "";
    const [, url = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const metadata = await (await service.request(url.slice(BASE_URL.length))).json();
    assert.equal(metadata.resource, `${BASE_URL}${prefix}/api/v1`);
    assert.deepEqual(metadata.authorization_servers, [`${BASE_URL}${prefix}`]);
  }
});

Deno.test("protectedResourceMetadata() names the audience of the tokens when it names the resource", async () => {
  await using service = await startTestService();
  const credentials = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const token = await getAccessToken(service, credentials, "/sandbox");
  const { aud, iss } = JSON.parse(atob(token.split(".")[1] ?? ""));
  const response = await service.request("/.well-known/oauth-protected-resource/sandbox/api/v1");
  const { resource, authorization_servers } = await response.json();
  assert.equal(resource, aud);
  assert.deepEqual(authorization_servers, [iss]);
});
