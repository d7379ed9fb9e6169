import assert from "node:assert/strict";
import { form, SANDBOX_CLIENT, startTestService } from "../../support/service.ts";

const CREDENTIALS = { client_id: SANDBOX_CLIENT, client_secret: SANDBOX_CLIENT };

Deno.test("createAccessToken() takes no parameter when it stands in the request's query", async () => {
  await using service = await startTestService();
  const ask = (query: Record<string, string>, body: Record<string, string>) =>
    service.request(`/sandbox/api/v1/oauth/token?${new URLSearchParams(query)}`, form(body));

  const grant = await ask({ grant_type: "client_credentials" }, CREDENTIALS);
  assert.equal(grant.status, 400);
  assert.equal((await grant.json()).error, "invalid_request");

  const client = await ask(CREDENTIALS, { grant_type: "client_credentials" });
  assert.equal(client.status, 401);
  assert.equal((await client.json()).error, "invalid_client");
});
