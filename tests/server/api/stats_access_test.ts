/**
 * `getWaitlistStats`: which calls the Bearer scheme, the scope, the environment and the clock let
 * through, and how the others are refused. Forged tokens are in `stats_forged_token_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  basic,
  createTestClient,
  getAccessToken,
  START,
  startTestService,
} from "../../support/service.ts";
import {
  assertRefused,
  credentialsFor,
  ENVIRONMENTS,
  forgeToken,
  requestStats,
} from "../../support/tokens.ts";

const SCOPE = "waitlist:stats:read";

// Clauses: contract "Authentication" challenge; RFC 6750 §3 challenge; RFC 9110 §15.5.2 challenge;
// RFC 6750 §2.2, §2.3; RFC 9728 §2 methods.
Deno.test("getWaitlistStats() answers unauthorized when no Bearer token is in the Authorization header", async () => {
  await using service = await startTestService();
  for (const environment of ENVIRONMENTS) {
    const { prefix } = environment;
    const { clientId, clientSecret } = await credentialsFor(service, environment);
    const token = await forgeToken(service, environment);
    for (const authorization of ["", basic(clientId, clientSecret), `DPoP ${token}`]) {
      const response = await requestStats(service, { prefix, authorization });
      await assertRefused(response, [401, "unauthorized"], environment);
    }
    for (const query of ["", `?access_token=${token}`]) {
      const response = await service.request(`${prefix}/api/v1/waitlist/stats${query}`);
      await assertRefused(response, [401, "unauthorized"], environment);
    }
  }
});

// Clauses: contract "Authentication" challenge; RFC 6750 §3 challenge; RFC 6750 §3 error;
// RFC 6750 §3.1 status; RFC 9728 §5.1.
Deno.test("getWaitlistStats() answers insufficient_scope when a token lacks the scope", async () => {
  await using service = await startTestService();
  const [production] = ENVIRONMENTS;
  const unscoped = await getAccessToken(service, await createTestClient(service, []));
  const response = await requestStats(service, { authorization: `Bearer ${unscoped}` });
  await assertRefused(response, [403, "insufficient_scope"], production);

  for (const environment of ENVIRONMENTS) {
    for (const scope of [undefined, "", `${SCOPE}s`, SCOPE.toUpperCase()]) {
      const token = await forgeToken(service, environment, { claims: { scope } });
      const response = await requestStats(service, {
        prefix: environment.prefix,
        authorization: `Bearer ${token}`,
      });
      await assertRefused(response, [403, "insufficient_scope"], environment);
    }
  }
});

// Clauses: RFC 6750 §5.2; RFC 8725 §3.9; RFC 8725 §3.12.
Deno.test("getWaitlistStats() answers invalid_token when the other environment issued the token", async () => {
  await using service = await startTestService();
  const [production, sandbox] = ENVIRONMENTS;
  for (const [issuer, verifier] of [[production, sandbox], [sandbox, production]] as const) {
    const credentials = await credentialsFor(service, issuer);
    const token = await getAccessToken(service, credentials, issuer.prefix);
    const authorization = `Bearer ${token}`;
    const own = await requestStats(service, { prefix: issuer.prefix, authorization });
    assert.equal(own.status, 200);
    const other = await requestStats(service, { prefix: verifier.prefix, authorization });
    await assertRefused(other, [401, "invalid_token"], verifier);
  }
});

// Clauses: contract "Authentication" token; RFC 6750 §3.1 status; RFC 6750 §5.3.
Deno.test("getWaitlistStats() takes a token to its last second, and no longer, when 900 s have passed", async () => {
  await using service = await startTestService();
  for (const environment of ENVIRONMENTS) {
    const { prefix } = environment;
    service.clock.now = START;
    const credentials = await credentialsFor(service, environment);
    const authorization = `Bearer ${await getAccessToken(service, credentials, prefix)}`;
    const ask = () => requestStats(service, { prefix, authorization });
    service.clock.now = START + 899_999;
    assert.equal((await ask()).status, 200);
    for (const late of [900_000, 901_000, 1_000_000_000]) {
      service.clock.now = START + late;
      await assertRefused(await ask(), [401, "invalid_token"], environment);
    }
  }
});

// Clauses: RFC 8725 §3.10.
Deno.test("getWaitlistStats() refuses a call without a KV operation when its token is not good enough", async () => {
  const service = await startTestService();
  const [environment] = ENVIRONMENTS;
  const forged = await forgeToken(service, environment, { keyOf: "sandbox" });
  const unscoped = await getAccessToken(service, await createTestClient(service, []));
  // With KV closed, a look would end as a 500.
  service.kv.close();
  const ask = (token: string) => requestStats(service, { authorization: `Bearer ${token}` });
  await assertRefused(await requestStats(service, {}), [401, "unauthorized"], environment);
  await assertRefused(await ask(forged), [401, "invalid_token"], environment);
  await assertRefused(await ask("x"), [401, "invalid_token"], environment);
  await assertRefused(await ask(unscoped), [403, "insufficient_scope"], environment);
  await service.stop();
});
