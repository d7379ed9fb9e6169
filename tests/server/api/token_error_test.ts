/**
 * `createAccessToken`: its 405, 413, 429 and 500, which have the shape Error (contract, "Rules per
 * operation" 2), and what it logs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { assertError } from "../../support/answers.ts";
import {
  basic,
  createTestClient,
  form,
  SANDBOX_CLIENT,
  startTestService,
} from "../../support/service.ts";
import {
  assertOAuthError,
  ENVIRONMENTS,
  inBody,
  requestStats,
  requestToken,
} from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };
const SANDBOX_CREDENTIALS = { client_id: SANDBOX_CLIENT, client_secret: SANDBOX_CLIENT };

// Clauses: RFC 9110 §15.5.14.
Deno.test("createAccessToken() refuses a body when it is over 65,536 bytes", async () => {
  await using service = await startTestService();
  const authorization = basic(SANDBOX_CLIENT, SANDBOX_CLIENT);
  const start = "grant_type=client_credentials&padding=";
  for (const { prefix } of ENVIRONMENTS) {
    const request = { prefix, authorization };
    const accepted = await requestToken(service, { ...request, body: start.padEnd(65_536, "x") });
    assert.equal(accepted.status, prefix === "" ? 401 : 200, "read, and decided upon");
    const refused = await requestToken(service, { ...request, body: start.padEnd(65_537, "x") });
    await assertError(refused, 413, "payload_too_large");
  }
});

// Clauses: RFC 6749 §3.2 POST.
Deno.test("createAccessToken() refuses every method but POST when it is called", async () => {
  await using service = await startTestService();
  for (const { prefix } of ENVIRONMENTS) {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const response = await service.request(`${prefix}/api/v1/oauth/token`, { method });
      assert.equal(response.headers.get("allow"), "POST");
      if (method !== "HEAD") await assertError(response, 405, "method_not_allowed");
      else assert.deepEqual([response.status, await response.text()], [405, ""]);
    }
  }
});

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

Deno.test("createAccessToken() answers 500 without the detail when KV fails", async () => {
  const service = await startTestService();
  const credentials = { ...await createTestClient(service), clientSecret: "unknown" };
  service.kv.close();
  const response = await requestToken(service, { body: { ...GRANT, ...inBody(credentials) } });
  const message = await assertError(response, 500, "internal_error");
  const [line] = service.log.filter(({ level }) => level === "error");
  assert.ok(line);
  const detail = String(line?.error).split("\n")[0] ?? "";
  assert.match(detail, /BadResource/);
  assert.ok(!message.includes(detail) && !/resource/i.test(message), message);
  await service.stop();
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
