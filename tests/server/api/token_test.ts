/** `createAccessToken`: the tokens that are issued, and to whom. Its refusals are in `token_refusals_test.ts`. @module */
import assert from "node:assert/strict";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { assertApiHeaders } from "../../support/answers.ts";
import { basic, createTestClient, SANDBOX_CLIENT, START } from "../../support/service.ts";
import { startTestService } from "../../support/service.ts";
import { assertOAuthError, credentialsFor, ENVIRONMENTS, inBody } from "../../support/tokens.ts";
import { requestStats, requestToken } from "../../support/tokens.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

const GRANT = { grant_type: "client_credentials" };
const SCOPE = "waitlist:stats:read";

// Clauses: RFC 6749 §2.3.1 Basic; RFC 6749 §2.3.1 body; RFC 6749 §3.3 scope; RFC 6749 §4.4.3;
// RFC 6749 §5.1 members; RFC 6749 §5.1 caching.
Deno.test("createAccessToken() issues a token when the client authenticates in either way", async () => {
  await using service = await startTestService();
  for (const environment of ENVIRONMENTS) {
    const { prefix } = environment;
    const credentials = await credentialsFor(service, environment);
    const authorization = basic(credentials.clientId, credentials.clientSecret);
    for (
      const request of [
        { prefix, authorization, body: GRANT },
        { prefix, body: { ...GRANT, ...inBody(credentials) } },
      ]
    ) {
      const response = await requestToken(service, request);
      assert.equal(response.status, 200);
      assertApiHeaders(response);
      assert.equal(response.headers.get("pragma"), "no-cache");
      assert.equal(response.headers.get("content-type"), "application/json");
      const { access_token, ...rest } = await response.json();
      // No refresh token (contract, "Authentication").
      assert.deepEqual(rest, { token_type: "Bearer", expires_in: 900, scope: SCOPE });
      const bearer = { prefix, authorization: `Bearer ${access_token}` };
      assert.equal((await requestStats(service, bearer)).status, 200);
    }
  }
});

// Clauses: contract "Authentication" token; RFC 9068 §2.1 signature; RFC 9068 §2.1 typ;
// RFC 9068 §2.2 claims; RFC 9068 §2.2 sub; RFC 9068 §2.2.3.
Deno.test("createAccessToken() signs exactly these header and claims when it issues", async () => {
  await using service = await startTestService();
  // A second's fraction is cut off: NumericDate counts whole seconds here.
  service.clock.now = START + 999;
  for (const environment of ENVIRONMENTS) {
    const credentials = await credentialsFor(service, environment);
    const body = { ...GRANT, ...inBody(credentials) };
    const request = { prefix: environment.prefix, body };
    const identifiers = new Set<unknown>();
    for (let count = 1; count <= 3; count++) {
      const { access_token } = await (await requestToken(service, request)).json();
      const { kid, ...header } = decodeProtectedHeader(access_token);
      assert.deepEqual(header, { alg: "HS256", typ: "at+jwt" });
      assert.ok(kid !== undefined && (await readOne(service.kv, ["root_key", kid])).value !== null);
      const { jti, ...claims } = decodeJwt(access_token);
      assert.deepEqual(claims, {
        iss: environment.issuer,
        aud: environment.audience,
        sub: credentials.clientId,
        client_id: credentials.clientId,
        scope: SCOPE,
        iat: START / 1000,
        exp: START / 1000 + 900,
      });
      assert.ok(jti);
      assert.equal(identifiers.add(jti).size, count, "every jti is a new one");
    }
  }
});

// Clauses: RFC 6749 §3.3 scope; RFC 9068 §2.2.3.
Deno.test("createAccessToken() leaves the scope out of answer and token when the client has none", async () => {
  await using service = await startTestService();
  const credentials = await createTestClient(service, []);
  const body = { ...GRANT, ...inBody(credentials) };
  const response = await requestToken(service, { body });
  assert.equal(response.status, 200);
  const { access_token, ...rest } = await response.json();
  assert.deepEqual(rest, { token_type: "Bearer", expires_in: 900 });
  assert.ok(!("scope" in decodeJwt(access_token)));

  const refused = await requestToken(service, { body: { ...body, scope: SCOPE } });
  await assertOAuthError(refused, 400, "invalid_scope");
});

// Clauses: RFC 6749 §4.4.2 client.
Deno.test("createAccessToken() knows no client of the other environment when it is asked", async () => {
  await using service = await startTestService();
  const { clientId, clientSecret } = await createTestClient(service);
  for (
    const [prefix, authorization] of [
      ["", basic(SANDBOX_CLIENT, SANDBOX_CLIENT)],
      ["/sandbox", basic(clientId, clientSecret)],
    ] as const
  ) {
    const response = await requestToken(service, { prefix, authorization, body: GRANT });
    await assertOAuthError(response, 401, "invalid_client");
  }
});

Deno.test("createAccessToken() takes the published client that SANDBOX_CLIENT names when it is set", async () => {
  await using service = await startTestService({ SANDBOX_CLIENT: "Try.me_~-1" });
  const ask = (client: string) => {
    const authorization = basic(client, client);
    return requestToken(service, { prefix: "/sandbox", authorization, body: GRANT });
  };
  assert.equal((await ask("Try.me_~-1")).status, 200);
  await assertOAuthError(await ask(SANDBOX_CLIENT), 401, "invalid_client");
});
