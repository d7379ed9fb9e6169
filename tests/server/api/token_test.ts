/**
 * `createAccessToken`: the tokens that it issues, its refusals in the shape OAuthError, and what it logs. The tables of
 * the rules are in `tests/server/oauth/`. @module
 */
import assert from "node:assert/strict";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { assertApiHeaders, headersOf, newAddress } from "../../support/answers.ts";
import {
  basic,
  createTestClient,
  form,
  SANDBOX_CLIENT,
  START,
  startTestService,
  test,
} from "../../support/service.ts";
import {
  assertOAuthError,
  credentialsFor,
  ENVIRONMENTS,
  inBody,
  requestStats,
  requestToken,
  type TestTokenRequest,
} from "../../support/tokens.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

const GRANT = { grant_type: "client_credentials" };
const SCOPE = "waitlist:stats:read";

// Clauses: RFC 6749 §2.3.1 Basic; RFC 6749 §2.3.1 body; RFC 6749 §3.3 scope; RFC 6749 §4.4.3;
// RFC 6749 §5.1 members; RFC 6749 §5.1 caching.
test(
  "createAccessToken() issues a token when the client sends its credentials by HTTP Basic or in the body",
  async (service, t) => {
    for (const environment of ENVIRONMENTS) {
      await t.step(environment.name, async () => {
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
      });
    }
  },
);

// Clauses: contract "Authentication" token; RFC 9068 §2.1 signature; RFC 9068 §2.1 typ;
// RFC 9068 §2.2 claims; RFC 9068 §2.2 sub; RFC 9068 §2.2.3.
test(
  "createAccessToken() issues a token that has only the documented header fields and claims",
  async (service, t) => {
    // A second's fraction is cut off: NumericDate counts whole seconds here.
    service.clock.now = START + 999;
    for (const environment of ENVIRONMENTS) {
      await t.step(environment.name, async () => {
        const credentials = await credentialsFor(service, environment);
        const body = { ...GRANT, ...inBody(credentials) };
        const request = { prefix: environment.prefix, body };
        const identifiers = new Set<unknown>();
        for (let count = 1; count <= 3; count++) {
          const { access_token } = await (await requestToken(service, request)).json();
          const { kid, ...header } = decodeProtectedHeader(access_token);
          assert.deepEqual(header, { alg: "HS256", typ: "at+jwt" });
          assert.ok(
            kid !== undefined && (await readOne(service.kv, ["root_key", kid])).value !== null,
          );
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
      });
    }
  },
);

// Clauses: RFC 6749 §3.3 scope; RFC 9068 §2.2.3.
test("createAccessToken() issues a token without a scope when the client has no scope", async (service) => {
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
test(
  "createAccessToken() refuses the sandbox's client in production, and a production client in the sandbox",
  async (service, t) => {
    const { clientId, clientSecret } = await createTestClient(service);
    for (
      const [prefix, authorization] of [
        ["", basic(SANDBOX_CLIENT, SANDBOX_CLIENT)],
        ["/sandbox", basic(clientId, clientSecret)],
      ] as const
    ) {
      await t.step(`${prefix}/api/v1/oauth/token`, async () => {
        const response = await requestToken(service, { prefix, authorization, body: GRANT });
        await assertOAuthError(response, 401, "invalid_client");
      });
    }
  },
);

Deno.test("createAccessToken() accepts the client of SANDBOX_CLIENT in the sandbox when this variable is set", async () => {
  await using service = await startTestService({ SANDBOX_CLIENT: "Try.me_~-1" });
  const ask = (client: string) => {
    const authorization = basic(client, client);
    return requestToken(service, { prefix: "/sandbox", authorization, body: GRANT });
  };
  assert.equal((await ask("Try.me_~-1")).status, 200);
  await assertOAuthError(await ask(SANDBOX_CLIENT), 401, "invalid_client");
});

test("createAccessToken() gives the same answer to an unknown client_id and to a wrong secret", async (service) => {
  const { clientId, clientSecret } = await createTestClient(service);
  const answers = [];
  for (const authorization of [basic(clientId, "wrong"), basic("nobody", clientSecret)]) {
    const body = { grant_type: "client_credentials" };
    const response = await requestToken(service, { authorization, body, from: newAddress() });
    const { status } = response;
    answers.push({ status, headers: headersOf(response), body: await response.text() });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 401);
});

test("createAccessToken() issues no token to a removed client, whose older tokens stay valid for 900 s", async (service) => {
  const credentials = await createTestClient(service);
  const body = { ...GRANT, ...inBody(credentials) };
  const { access_token } = await (await requestToken(service, { body })).json();
  // The poll of the service finds the change.
  await service.kv.commit(new Commit().delete(["client", credentials.clientId]));
  await service.repeatOnce();
  await assertOAuthError(await requestToken(service, { body }), 401, "invalid_client");

  // There is no revocation list, and the statistics look no client up.
  const authorization = `Bearer ${access_token}`;
  service.clock.now = START + 899_999;
  assert.equal((await requestStats(service, { authorization })).status, 200);
  service.clock.now = START + 900_000;
  assert.equal((await requestStats(service, { authorization })).status, 401);
});

const FORM = "application/x-www-form-urlencoded";
const SANDBOX = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
const IN_SANDBOX = { prefix: "/sandbox", authorization: basic(SANDBOX_CLIENT, SANDBOX_CLIENT) };

// Clauses: RFC 6749 §5.2 400.
test(
  "createAccessToken() answers 400 and names Content-Type when the body is not a form",
  async (service, t) => {
    const request = { ...IN_SANDBOX, body: GRANT };
    const others = [
      null,
      "",
      "application/json",
      "multipart/form-data; boundary=x",
      `${FORM}+json`,
    ];
    for (const contentType of others) {
      await t.step(`${contentType}`, async () => {
        const response = await requestToken(service, { ...request, contentType });
        assert.match(await assertOAuthError(response, 400, "invalid_request"), /Content-Type/);
      });
    }
    for (const contentType of [`${FORM} ; charset=utf-8`, "Application/X-WWW-Form-URLEncoded"]) {
      await t.step(contentType, async () => {
        assert.equal((await requestToken(service, { ...request, contentType })).status, 200);
      });
    }
  },
);

// Clauses: RFC 6749 §2.3; RFC 6749 §5.2 400.
test("createAccessToken() names the first fault in the documented order when a request has several faults", async (service) => {
  const { clientId, clientSecret } = await createTestClient(service);
  // Everything is wrong at first; each step mends the fault that was named.
  let authorization = basic(clientId, "wrong");
  const fields = new URLSearchParams({
    grant_type: "password",
    scope: "unknown",
    client_secret: clientSecret,
  });
  fields.append("scope", "unknown");
  const send = () => requestToken(service, { authorization, body: String(fields) });

  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /scope.*once/);
  fields.set("scope", "unknown");
  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /two ways/);
  fields.delete("client_secret");
  await assertOAuthError(await send(), 400, "unsupported_grant_type");
  fields.delete("grant_type");
  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /grant_type/);
  fields.set("grant_type", "client_credentials");
  await assertOAuthError(await send(), 401, "invalid_client");
  authorization = basic(clientId, clientSecret);
  await assertOAuthError(await send(), 400, "invalid_scope");
  fields.set("scope", SCOPE);
  assert.equal((await send()).status, 200);
});

// Clauses: RFC 6749 §3.2.1; RFC 6749 §5.2 401; RFC 9110 §15.5.2 challenge.
test(
  "createAccessToken() sends WWW-Authenticate to a refused client only when the request has an Authorization header",
  async (service, t) => {
    const { clientId, clientSecret } = await createTestClient(service);
    const refused: (TestTokenRequest & { challenged: boolean })[] = [
      { challenged: false },
      { challenged: false, body: inBody({ clientId, clientSecret: "wrong" }) },
      { challenged: true, authorization: basic(clientId, "wrong") },
      { challenged: true, authorization: "" },
      // An `Authorization` that is no Basic does not authenticate, and the body no longer counts.
      {
        challenged: true,
        authorization: "Bearer token",
        body: inBody({ clientId, clientSecret }),
      },
    ];
    for (const { prefix } of ENVIRONMENTS) {
      for (const { challenged, ...request } of refused) {
        await t.step(`${prefix} ${JSON.stringify(request)}`, async () => {
          const body = { ...GRANT, ...request.body as Record<string, string> };
          const response = await requestToken(service, { ...request, prefix, body });
          await assertOAuthError(response, 401, "invalid_client");
          const challenge = response.headers.get("www-authenticate");
          if (challenged) assert.match(challenge ?? "", /^Basic realm="[^"\\]+", charset="UTF-8"$/);
          else assert.equal(challenge, null, JSON.stringify(request));
        });
      }
    }
  },
);

// Clauses: RFC 6749 §5.2 characters.
test(
  "createAccessToken() writes into error_description only characters that RFC 6749 §5.2 allows, even when a parameter has other characters",
  async (service, t) => {
    const odd = 'a"\\ü日💧\r\nSet-Cookie: a=b\t\0\x7f\xa0';
    for (
      const [code, body] of [
        ["unsupported_grant_type", { grant_type: odd }],
        ["invalid_scope", { ...GRANT, scope: odd }],
        ["invalid_request", new URLSearchParams([[odd, "1"], [odd, "2"]]).toString()],
      ] as const
    ) {
      await t.step(code, async () => {
        await assertOAuthError(await requestToken(service, { ...IN_SANDBOX, body }), 400, code);
      });
    }
  },
);

test("createAccessToken() refuses a body that is not UTF-8", async (service) => {
  const body = new Uint8Array([
    ...new TextEncoder().encode("grant_type=client_credentials&x="),
    0xff,
  ]);
  await assertOAuthError(await requestToken(service, { body }), 400, "invalid_request");
});

test("createAccessToken() refuses a body of more than 100 parameters", async (service) => {
  const ask = (parameters: number) => {
    const body = "grant_type=client_credentials" + "&x".repeat(parameters - 1);
    return requestToken(service, { ...IN_SANDBOX, body });
  };
  const message = await assertOAuthError(await ask(101), 400, "invalid_request");
  assert.match(message, /at most 100/);
  assert.match(await assertOAuthError(await ask(100), 400, "invalid_request"), /x/);
});

Deno.test("createAccessToken() logs no secret and no token", async (t) => {
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
    await t.step(JSON.stringify(secret), () => {
      assert.ok(!log.includes(secret));
    });
  }
  await service.stop();
});

// Clauses: RFC 6749 §2.3.1 URI.
test("createAccessToken() ignores parameters in the request's query", async (service) => {
  const ask = (query: Record<string, string>, body: Record<string, string>) =>
    service.request(`/sandbox/api/v1/oauth/token?${new URLSearchParams(query)}`, form(body));

  await assertOAuthError(await ask(GRANT, inBody(SANDBOX)), 400, "invalid_request");
  await assertOAuthError(await ask(inBody(SANDBOX), GRANT), 401, "invalid_client");
});
