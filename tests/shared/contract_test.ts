/**
 * The contract's check. That it finds nothing where a service answers as it should is tried by each request that a test
 * service takes, which throws the findings. @module
 */
import assert from "node:assert/strict";
import { createContract } from "../../shared/contract.ts";
import document from "../../shared/generated/public.json" with { type: "json" };
import { send } from "../support/exchange.ts";
import { startTestService } from "../support/service.ts";

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
