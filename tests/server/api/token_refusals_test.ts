/**
 * `createAccessToken`: its refusals in the shape OAuthError, and what it logs.
 * The rules have their tables in `tests/server/oauth/`. @module
 */
import assert from "node:assert/strict";
import { basic, createTestClient, form, SANDBOX_CLIENT } from "../../support/service.ts";
import { startTestService } from "../../support/service.ts";
import { assertOAuthError, ENVIRONMENTS, inBody, requestStats } from "../../support/tokens.ts";
import { requestToken, type TestTokenRequest } from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };
const SCOPE = "waitlist:stats:read";
const FORM = "application/x-www-form-urlencoded";
const SANDBOX = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
const IN_SANDBOX = { prefix: "/sandbox", authorization: basic(SANDBOX_CLIENT, SANDBOX_CLIENT) };

// Clauses: RFC 6749 §5.2 400.
Deno.test("createAccessToken() asks for a form when Content-Type is another", async () => {
  await using service = await startTestService();
  const request = { ...IN_SANDBOX, body: GRANT };
  const others = [null, "", "application/json", "multipart/form-data; boundary=x", `${FORM}+json`];
  for (const contentType of others) {
    const response = await requestToken(service, { ...request, contentType });
    assert.match(await assertOAuthError(response, 400, "invalid_request"), /Content-Type/);
  }
  for (const contentType of [`${FORM} ; charset=utf-8`, "Application/X-WWW-Form-URLEncoded"]) {
    assert.equal((await requestToken(service, { ...request, contentType })).status, 200);
  }
});

// Clauses: RFC 6749 §2.3; RFC 6749 §5.2 400.
Deno.test("createAccessToken() names the first fault, in their order, when faults meet", async () => {
  await using service = await startTestService();
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

Deno.test("createAccessToken() ignores resource when it has two values, and refuses others twice", async () => {
  await using service = await startTestService();
  const twice = "grant_type=client_credentials&resource=https%3A%2F%2Fa.test&resource=urn%3Ab";
  for (const body of [twice, `${twice}&resource=`]) {
    assert.equal((await requestToken(service, { ...IN_SANDBOX, body })).status, 200, body);
  }
  const response = await requestToken(service, { ...IN_SANDBOX, body: `${twice}&x=1&x=1` });
  assert.match(await assertOAuthError(response, 400, "invalid_request"), /^Parameter x is given/);
});

// Clauses: RFC 6749 §3.2.1; RFC 6749 §5.2 401; RFC 9110 §15.5.2 challenge.
Deno.test("createAccessToken() challenges a refused client when an Authorization header was sent", async () => {
  await using service = await startTestService();
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
      const body = { ...GRANT, ...request.body as Record<string, string> };
      const response = await requestToken(service, { ...request, prefix, body });
      await assertOAuthError(response, 401, "invalid_client");
      const challenge = response.headers.get("www-authenticate");
      if (challenged) assert.match(challenge ?? "", /^Basic realm="[^"\\]+", charset="UTF-8"$/);
      else assert.equal(challenge, null, JSON.stringify(request));
    }
  }
});

// Clauses: RFC 6749 §5.2 characters.
Deno.test("createAccessToken() describes a fault in the RFC's characters when it quotes others", async () => {
  await using service = await startTestService();
  const odd = 'a"\\ü日💧\r\nSet-Cookie: a=b\t\0\x7f\xa0';
  for (
    const [code, body] of [
      ["unsupported_grant_type", { grant_type: odd }],
      ["invalid_scope", { ...GRANT, scope: odd }],
      ["invalid_request", new URLSearchParams([[odd, "1"], [odd, "2"]]).toString()],
    ] as const
  ) await assertOAuthError(await requestToken(service, { ...IN_SANDBOX, body }), 400, code);
});

Deno.test("createAccessToken() refuses a body when it is no UTF-8", async () => {
  await using service = await startTestService();
  const body = new Uint8Array([
    ...new TextEncoder().encode("grant_type=client_credentials&x="),
    0xff,
  ]);
  await assertOAuthError(await requestToken(service, { body }), 400, "invalid_request");
});

Deno.test("createAccessToken() refuses a body when it has more than 100 parameters", async () => {
  await using service = await startTestService();
  const ask = (parameters: number) => {
    const body = "grant_type=client_credentials" + "&x".repeat(parameters - 1);
    return requestToken(service, { ...IN_SANDBOX, body });
  };
  const message = await assertOAuthError(await ask(101), 400, "invalid_request");
  assert.match(message, /at most 100/);
  assert.match(await assertOAuthError(await ask(100), 400, "invalid_request"), /x/);
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

  await assertOAuthError(await ask(GRANT, inBody(SANDBOX)), 400, "invalid_request");
  await assertOAuthError(await ask(inBody(SANDBOX), GRANT), 401, "invalid_client");
});
