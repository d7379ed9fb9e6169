/**
 * `createAccessToken`: its errors in the shape Error (contract, "Rules per operation" 2), what it logs, and what becomes
 * of clients that change.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Client } from "../../../server/oauth/clients.ts";
import { assertError } from "../../support/answers.ts";
import {
  basic,
  createTestClient,
  form,
  SANDBOX_CLIENT,
  START,
  startTestService,
  type TestService,
} from "../../support/service.ts";
import { assertOAuthError, inBody, requestStats, requestToken } from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };
const SANDBOX_CREDENTIALS = { client_id: SANDBOX_CLIENT, client_secret: SANDBOX_CLIENT };

// Clauses: contract "Errors" shape.
Deno.test("createAccessToken() answers 429 in the shape Error when the limit is used up", async () => {
  await using service = await startTestService();
  const from = "192.0.2.2";
  for (const [prefix, requests] of [["", 30], ["/sandbox", 120]] as const) {
    for (let count = 0; count < requests; count++) {
      await assertOAuthError(await requestToken(service, { prefix, from }), 400, "invalid_request");
    }
    const response = await requestToken(service, { prefix, from });
    assert.equal(response.headers.get("retry-after"), "40");
    await assertError(response, 429, "rate_limited");
  }
});

Deno.test("createAccessToken() keeps secrets and tokens out of the log when it works and fails", async () => {
  const service = await startTestService();
  const credentials = await createTestClient(service);
  const { clientId, clientSecret } = credentials;
  const authorization = basic(clientId, clientSecret);
  const wrongSecret = "a-wrong-secret";
  const issued = await requestToken(service, { authorization, body: GRANT });
  const token: string = (await issued.json()).access_token;
  const bearer = `Bearer ${token}`;
  await requestToken(service, { body: { ...GRANT, ...inBody(credentials) } });
  await requestToken(service, { authorization: basic(clientId, wrongSecret), body: GRANT });
  await requestToken(service, { authorization, body: { grant_type: clientSecret } });
  await requestToken(service, { authorization, body: { ...GRANT, scope: token } });
  await requestStats(service, { authorization: bearer });
  await requestStats(service, { authorization: `${bearer}x` });

  // Where KV fails while a secret or a token is at hand, the line in the log names neither.
  service.kv.close();
  service.clock.now += 5_000;
  const failed = [
    await requestToken(service, { authorization: basic(clientId, wrongSecret), body: GRANT }),
    await requestToken(service, {
      body: { ...GRANT, ...inBody({ clientId, clientSecret: wrongSecret }) },
    }),
    await requestStats(service, { authorization: bearer }),
  ];
  assert.deepEqual(failed.map(({ status }) => status), [500, 500, 500]);
  const log = JSON.stringify(service.log);
  assert.equal(service.log.filter(({ level }) => level === "error").length, 3);
  const [, credential = ""] = authorization.split(" ");
  for (const secret of [clientSecret, wrongSecret, credential, ...token.split(".")]) {
    assert.ok(!log.includes(secret));
  }
  await service.stop();
});

// Clauses: RFC 6749 §2.3.1 URI.
Deno.test("createAccessToken() takes no parameter when it stands in the request's query", async () => {
  await using service = await startTestService();
  const ask = (query: Record<string, string>, body: Record<string, string>) =>
    service.request(`/sandbox/api/v1/oauth/token?${new URLSearchParams(query)}`, form(body));

  const grant = await ask({ grant_type: "client_credentials" }, SANDBOX_CREDENTIALS);
  assert.equal(grant.status, 400);
  assert.equal((await grant.json()).error, "invalid_request");

  const client = await ask(SANDBOX_CREDENTIALS, { grant_type: "client_credentials" });
  assert.equal(client.status, 401);
  assert.equal((await client.json()).error, "invalid_client");
});

/** How long a look for clients holds, in milliseconds (decisions, "Tokens"). */
const LOOK_MS = 1_000;

/** Changes a client's record behind the service's back; its poll, and not its watch, tells of it. */
async function change(service: TestService, clientId: string, by: Partial<Client>): Promise<void> {
  const key = ["client", clientId];
  const { value } = await service.kv.get<Client>(key);
  assert.ok(value);
  await service.kv.set(key, { ...value, ...by });
}

Deno.test("createAccessToken() serves a new client within a second when it refused the id before", async () => {
  await using service = await startTestService();
  const { clientId, clientSecret } = await createTestClient(service);
  const entry = await service.kv.get<Client>(["client", clientId]);
  await service.kv.delete(entry.key);
  await service.repeatOnce();
  const body = { ...GRANT, ...inBody({ clientId, clientSecret }) };
  await assertOAuthError(await requestToken(service, { body }), 401, "invalid_client");
  await service.kv.set(entry.key, entry.value);
  service.clock.now += LOOK_MS;
  assert.equal((await requestToken(service, { body })).status, 200);
});

for (const loss of ["disabled", "removed"] as const) {
  Deno.test(`createAccessToken() issues nothing after its poll when a client is ${loss}`, async () => {
    await using service = await startTestService();
    const credentials = await createTestClient(service);
    const body = { ...GRANT, ...inBody(credentials) };
    const { access_token } = await (await requestToken(service, { body })).json();

    const { clientId } = credentials;
    if (loss === "disabled") await change(service, clientId, { disabled: true });
    else await service.kv.delete(["client", clientId]);
    await service.repeatOnce();
    await assertOAuthError(await requestToken(service, { body }), 401, "invalid_client");

    // There is no revocation list: what was issued lives out its 900 s, and stats looks no client up.
    const authorization = `Bearer ${access_token}`;
    service.clock.now = START + 899_999;
    assert.equal((await requestStats(service, { authorization })).status, 200);
    service.clock.now = START + 900_000;
    assert.equal((await requestStats(service, { authorization })).status, 401);
  });
}
