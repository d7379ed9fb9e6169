/**
 * `createAccessToken`: its 400 and 401, which have the shape OAuthError, and which fault is named where
 * several meet.
 *
 * @module
 */
import assert from "node:assert/strict";
import { assertError } from "../../support/answers.ts";
import {
  basic,
  createTestClient,
  SANDBOX_CLIENT,
  startTestService,
} from "../../support/service.ts";
import {
  assertOAuthError,
  ENVIRONMENTS,
  inBody,
  requestToken,
  type TestTokenRequest,
} from "../../support/tokens.ts";

const GRANT = { grant_type: "client_credentials" };
const SCOPE = "waitlist:stats:read";

// Clauses: RFC 6749 §5.2 400.
Deno.test("createAccessToken() asks for a form when Content-Type is another", async () => {
  await using service = await startTestService();
  const form = "application/x-www-form-urlencoded";
  const body = { ...GRANT, ...inBody({ clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT }) };
  for (
    const contentType of [
      null,
      "",
      "application/json",
      "multipart/form-data; boundary=x",
      "text/plain",
      `${form}+json`,
      `${form}, application/json`,
    ]
  ) {
    const response = await requestToken(service, { prefix: "/sandbox", contentType, body });
    assert.match(await assertOAuthError(response, 400, "invalid_request"), /Content-Type/);
  }
  for (
    const contentType of [
      `${form}; charset=UTF-8`,
      `${form};charset=utf-8`,
      `${form} ; charset=utf-8`,
      "Application/X-WWW-Form-URLEncoded",
    ]
  ) {
    const response = await requestToken(service, { prefix: "/sandbox", contentType, body });
    assert.equal(response.status, 200, contentType);
  }
});

// Clauses: RFC 6749 §2.3; RFC 6749 §5.2 400.
Deno.test("createAccessToken() names the first fault, in the order of decisions, when faults meet", async () => {
  await using service = await startTestService();
  const { clientId, clientSecret } = await createTestClient(service);
  const spent = "192.0.2.99";
  for (let count = 0; count < 30; count++) {
    await requestToken(service, { from: spent });
  }

  // Everything is wrong at first; each step mends the fault that was named.
  const request: TestTokenRequest = {
    from: spent,
    method: "PUT",
    contentType: "application/json",
    authorization: basic(clientId, "wrong"),
  };
  const fields = new URLSearchParams({
    grant_type: "password",
    scope: "unknown",
    client_secret: clientSecret,
    padding: "x".repeat(65_536),
  });
  fields.append("scope", "unknown");
  const send = () => requestToken(service, { ...request, body: String(fields) });

  await assertError(await send(), 429, "rate_limited");
  request.from = "192.0.2.100";
  await assertError(await send(), 405, "method_not_allowed");
  request.method = "POST";
  await assertOAuthError(await send(), 400, "invalid_request");
  request.contentType = "application/x-www-form-urlencoded";
  await assertError(await send(), 413, "payload_too_large");
  fields.delete("padding");
  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /scope.*once/);
  fields.set("scope", "unknown");
  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /two ways/);
  fields.delete("client_secret");
  await assertOAuthError(await send(), 400, "unsupported_grant_type");
  fields.delete("grant_type");
  assert.match(await assertOAuthError(await send(), 400, "invalid_request"), /grant_type/);
  fields.set("grant_type", "client_credentials");
  await assertOAuthError(await send(), 401, "invalid_client");
  request.authorization = basic(clientId, clientSecret);
  await assertOAuthError(await send(), 400, "invalid_scope");
  fields.set("scope", SCOPE);
  assert.equal((await send()).status, 200);
});

// Clauses: RFC 6749 §5.2 401; RFC 9110 §15.5.2 challenge.
Deno.test("createAccessToken() challenges a refused client when an Authorization header was sent", async () => {
  await using service = await startTestService();
  const { clientId, clientSecret } = await createTestClient(service);
  const valid = { clientId, clientSecret };
  const refused: (TestTokenRequest & { challenged: boolean })[] = [
    { challenged: false },
    { challenged: false, body: { client_id: clientId } },
    { challenged: false, body: { client_secret: clientSecret } },
    { challenged: false, body: inBody({ clientId, clientSecret: "wrong" }) },
    { challenged: false, body: inBody({ clientId: "unknown", clientSecret }) },
    { challenged: true, authorization: basic(clientId, "wrong") },
    { challenged: true, authorization: basic("unknown", clientSecret) },
    { challenged: true, authorization: `Basic ${btoa("no colon")}` },
    { challenged: true, authorization: "Basic" },
    { challenged: true, authorization: "" },
    { challenged: true, authorization: "Bearer token" },
    // An `Authorization` that is no Basic does not authenticate, and the body no longer counts.
    { challenged: true, authorization: "Bearer token", body: inBody(valid) },
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
  const authorization = basic(SANDBOX_CLIENT, SANDBOX_CLIENT);
  for (
    const odd of [`"`, "\\", "ü", "日本", "💧", "\r\nSet-Cookie: a=b", "\t", "\0", "\x7f", "\xa0"]
  ) {
    for (
      const [code, body] of [
        ["unsupported_grant_type", { grant_type: `a${odd}b` }],
        ["invalid_scope", { ...GRANT, scope: `a${odd}b` }],
        ["invalid_request", new URLSearchParams([[odd, "1"], [odd, "2"]]).toString()],
      ] as const
    ) {
      const response = await requestToken(service, { prefix: "/sandbox", authorization, body });
      await assertOAuthError(response, 400, code);
    }
  }
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
  const authorization = basic(SANDBOX_CLIENT, SANDBOX_CLIENT);
  const ask = (parameters: number) => {
    const body = "grant_type=client_credentials" + "&x".repeat(parameters - 1);
    return requestToken(service, { prefix: "/sandbox", authorization, body });
  };
  const message = await assertOAuthError(await ask(101), 400, "invalid_request");
  assert.match(message, /at most 100/);
  assert.match(await assertOAuthError(await ask(100), 400, "invalid_request"), /x/);
});

Deno.test("createAccessToken() asks for the body again when it breaks off", async () => {
  await using service = await startTestService();
  const response = await service.request("/api/v1/oauth/token", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new ReadableStream({ pull: () => Promise.reject(new Error("connection reset")) }),
  });
  assert.match(await assertOAuthError(response, 400, "invalid_request"), /send it again/);
});
