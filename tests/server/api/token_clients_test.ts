/**
 * `createAccessToken` and the life of a client: made, given a second secret, disabled.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Client, SecretDigest } from "../../../server/oauth/clients.ts";
import {
  createTestClient,
  START,
  startTestService,
  type TestService,
} from "../../support/service.ts";
import {
  assertOAuthError,
  inBody,
  requestStats,
  requestToken,
  secretDigest,
} from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };

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

Deno.test("createAccessToken() serves a client again when it is enabled again", async () => {
  await using service = await startTestService();
  const credentials = await createTestClient(service);
  const body = { ...GRANT, ...inBody(credentials) };
  await change(service, credentials.clientId, { disabled: true });
  await service.repeatOnce();
  await assertOAuthError(await requestToken(service, { body }), 401, "invalid_client");
  await change(service, credentials.clientId, { disabled: false });
  service.clock.now += LOOK_MS;
  assert.equal((await requestToken(service, { body })).status, 200);
});

Deno.test("createAccessToken() takes either secret, each until it expires, when a client has two", async () => {
  await using service = await startTestService();
  const { clientId } = await createTestClient(service);
  // The old secret expires while the client is in memory, which must not lengthen its life.
  const expiresAt = START + 2_000;
  const secrets: SecretDigest[] = [secretDigest("old", expiresAt), secretDigest("new")];
  await change(service, clientId, { secrets });
  await service.repeatOnce();
  const ask = (clientSecret: string) =>
    requestToken(service, { body: { ...GRANT, ...inBody({ clientId, clientSecret }) } });

  service.clock.now = expiresAt - 1;
  assert.equal((await ask("old")).status, 200);
  assert.equal((await ask("new")).status, 200);
  service.clock.now = expiresAt;
  await assertOAuthError(await ask("old"), 401, "invalid_client");
  assert.equal((await ask("new")).status, 200);
});
