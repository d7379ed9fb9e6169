import assert from "node:assert/strict";
import type { Client } from "../../../server/oauth/clients.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { createTestClient, START, startTestService } from "../../support/service.ts";
import { assertOAuthError, inBody, requestStats, requestToken } from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };

for (const loss of ["disabled", "removed"] as const) {
  Deno.test(`createAccessToken() issues nothing after its poll when a client is ${loss}`, async () => {
    await using service = await startTestService();
    const credentials = await createTestClient(service);
    const body = { ...GRANT, ...inBody(credentials) };
    const { access_token } = await (await requestToken(service, { body })).json();

    // Behind the service's back: its poll, and not its watch, tells of it.
    const { key, value } = await readOne<Client>(service.kv, ["client", credentials.clientId]);
    if (loss === "disabled") {
      await service.kv.commit(new Commit().set(key, { ...value, disabled: true }));
    } else await service.kv.commit(new Commit().delete(key));
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
