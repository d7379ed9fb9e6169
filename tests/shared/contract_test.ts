import assert from "node:assert/strict";
import { createContract } from "../../shared/contract.ts";
import document from "../../shared/generated/public.json" with { type: "json" };
import { send } from "../support/exchange.ts";
import { basic, createTestClient, form, getAccessToken, json } from "../support/service.ts";
import { SANDBOX_CLIENT, startTestService, type TestRequestInit } from "../support/service.ts";

const SIGN_UP = { email: "ada@example.com", consent: true };

// The first test here, so that the validator is loaded without permissions too.
Deno.test({
  name: "createContract() loads, compiles and checks when the program has no permission",
  permissions: "none",
  async fn() {
    const { check } = await createContract(document);
    const body = JSON.stringify({ error: "not_found", message: "There is nothing here." });
    const exchange = { method: "GET", path: "/api", status: 404, headers: GOOD_HEADERS, body };
    assert.deepEqual(check(exchange), []);
  },
});

const GOOD_HEADERS = new Headers({
  "Content-Type": "application/json",
  "X-API-Version": "1",
  "RateLimit-Limit": "30",
  "RateLimit-Remaining": "29",
  "RateLimit-Reset": "60",
  "RateLimit-Policy": "30;w=60",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
});

/** A request and the status that it gets. */
type Case = [path: string, init: TestRequestInit, status: number];

Deno.test("check() finds nothing when a service answers as its served document says", async () => {
  await using service = await startTestService();
  const contract = await createContract(await (await service.request("/openapi.json")).json());
  const client = await createTestClient(service);
  const unscoped = await createTestClient(service, []);
  const published = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };

  for (const prefix of ["", "/sandbox"]) {
    const credentials = prefix === "" ? client : published;
    const bearer = async (whose: typeof client, prefix = "") => ({
      headers: { Authorization: `Bearer ${await getAccessToken(service, whose, prefix)}` },
    });
    const allowed = await bearer(credentials, prefix);
    const denied = await bearer(unscoped);
    const grant = {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic(credentials.clientId, credentials.clientSecret) },
    };
    const requests: Case[] = [
      ["/api/v1", {}, 200],
      ["/api/v1", { method: "HEAD" }, 200],
      ["/api/v1", { method: "DELETE" }, 405],
      ["/api/v1/status?probe=1", {}, 200],
      ["/api/v1/status", { method: "HEAD" }, 200],
      ["/api/v1/status", { method: "OPTIONS" }, 405],
      ["/api/v1/oauth/token", grant, 200],
      ["/api/v1/oauth/token", json({}), 400],
      ["/api/v1/oauth/token", form({ grant_type: "client_credentials" }), 401],
      ["/api/v1/oauth/token", { ...grant, headers: { Authorization: basic("a", "b") } }, 401],
      ["/api/v1/oauth/token", {}, 405],
      ["/api/v1/oauth/token", { method: "HEAD" }, 405],
      ["/api/v1/oauth/token", form({ scope: "x".repeat(65_536) }), 413],
      ["/api/v1/waitlist/stats", allowed, 200],
      ["/api/v1/waitlist/stats", { ...allowed, method: "HEAD" }, 200],
      ["/api/v1/waitlist/stats", {}, 401],
      ["/api/v1/waitlist/stats", { method: "HEAD" }, 401],
      ["/api/v1/waitlist/stats", { headers: { Authorization: "Bearer x" } }, 401],
      ...(prefix === ""
        ? [
          ["/api/v1/waitlist/stats", denied, 403],
          ["/api/v1/waitlist/stats", { ...denied, method: "HEAD" }, 403],
        ] satisfies Case[]
        : []),
      ["/api/v1/waitlist/stats", { method: "PUT" }, 405],
      ...["/api/v1/waitlist", "/api/waitlist"].flatMap((path) =>
        [
          [path, json(SIGN_UP), 200],
          [path, form({ email: "ada@example.com", consent: "on" }), 303],
          [path, form({ email: "ada@example.com", consent: "on", lang: "de" }), 303],
          [path, { ...json({}), body: "{" }, 400],
          [path, json({ ...SIGN_UP, name: "Ada" }), 400],
          [path, {}, 405],
          [path, { method: "HEAD" }, 405],
          [path, json("x".repeat(65_536)), 413],
          [path, { method: "POST", body: "text" }, 415],
          [path, json({ email: "ada", consent: true }), 422],
          [path, json({ email: "ada@example.com" }), 422],
        ] satisfies Case[]
      ),
      ["/api", {}, 404],
      ["/api/v1/", { method: "HEAD" }, 404],
      ["/api/v2", { method: "POST" }, 404],
    ];
    for (const [index, [path, init, status]] of requests.entries()) {
      // Addresses of their own keep the requests below the limit.
      const from = `198.51.100.${index}`;
      const exchange = await send(service, prefix + path, { ...init, from });
      assert.equal(exchange.status, status, `${exchange.method} ${path}`);
      assert.deepEqual(contract.check(exchange), []);
    }
  }
});

Deno.test("check() finds nothing when a service refuses by the limit, whatever the path", async () => {
  await using service = await startTestService();
  const { check } = await createContract(document);
  for (let count = 0; count < 30; count++) await service.request("/api/v1");
  for (
    const [path, method] of [
      ["/api/v1", "GET"],
      ["/api/v1", "HEAD"],
      ["/api/v1/status", "POST"],
      ["/api/waitlist", "PUT"],
      ["/api/nothing", "GET"],
    ] as const
  ) {
    const exchange = await send(service, path, { method });
    assert.equal(exchange.status, 429, `${method} ${path}`);
    assert.deepEqual(check(exchange), []);
  }
});

Deno.test("check() finds nothing when a service fails with its KV closed", async () => {
  const service = await startTestService();
  const { check } = await createContract(document);
  service.kv.close();
  const exchange = await send(service, "/api/v1/waitlist", json(SIGN_UP));
  assert.equal(exchange.status, 500);
  assert.deepEqual(check(exchange), []);
  await service.stop();
});

Deno.test("check() knows the environments by the document's servers", async () => {
  await using service = await startTestService();
  const { check } = await createContract({ ...document, servers: [{ url: "/sandbox/" }] });
  assert.deepEqual(check(await send(service, "/sandbox/api/v1/status")), []);
  assert.deepEqual(check(await send(service, "/api/v1/status")), [
    "GET /api/v1/status 200: the path is not under /api of a server that the document lists",
  ]);
});

Deno.test("createContract() refuses a document when it is no complete OpenAPI 3.1", async () => {
  const { paths: _paths, ...pathless } = document;
  for (
    const [given, message] of [
      [null, /not an OpenAPI 3\.1 document: its "openapi" is undefined/],
      ["<html>", /its "openapi" is undefined/],
      [{ ...document, openapi: "3.0.3" }, /its "openapi" is "3\.0\.3".*\/openapi\.json/],
      [pathless, /nothing at "#\/paths"/],
      [
        { ...document, components: { ...document.components, headers: {} } },
        /"#\/components\/headers\//,
      ],
    ] as const
  ) {
    await assert.rejects(createContract(given), { message });
  }
});

Deno.test("check() throws what is missing when a schema refers to nothing", async () => {
  await using service = await startTestService();
  const status = await send(service, "/api/v1/status");
  const { Status: _status, ...schemas } = document.components.schemas;
  const components = { ...document.components, schemas };
  const { check } = await createContract({ ...document, components });
  assert.throws(() => check(status), { message: /#\/components\/schemas\/Status/ });
});

// Clauses: contract "Versioning" header.
Deno.test("request() of a test service throws the findings when an answer breaks the contract", async () => {
  await using service = await startTestService();
  // Years of five digits are no date-time (RFC 3339 §5.6).
  service.clock.now = Date.UTC(10_000, 0);
  await assert.rejects(service.request("/sandbox/api/v1/status"), {
    message: "An answer breaks openapi/public.yaml:\n  GET /sandbox/api/v1/status 200: " +
      'body/time must match format "date-time", not "+010000-01-01T00:00:00.000Z"',
  });
});
