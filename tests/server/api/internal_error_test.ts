import assert from "node:assert/strict";
import { assertError } from "../../support/answers.ts";
import {
  basic,
  createTestClient,
  form,
  getAccessToken,
  json,
  serveOn,
  type TestRequestInit,
} from "../../support/service.ts";

const EMAIL = "ada@example.com";
const SOURCE = "198.51.100.77";

// Contract, error table: 500 internal_error; decisions, "Logs"; architecture: logged in full, answered
// without detail.
Deno.test("createApi() answers 500 without detail and logs the cause when KV fails", async () => {
  const kv = await Deno.openKv(":memory:");
  const service = await serveOn(kv);
  const client = await createTestClient(service);
  const token = await getAccessToken(service, client);
  service.clock.now += 5_000;
  kv.close();

  const secrets = [EMAIL, "ada", SOURCE, token, client.clientId, client.clientSecret];
  const requests: [path: string, init: TestRequestInit][] = [
    ["/api/v1/waitlist", json({ email: EMAIL, consent: true })],
    ["/api/v1/waitlist", form({ email: EMAIL, consent: "on" })],
    ["/api/waitlist", json({ email: EMAIL, consent: true })],
    ["/api/v1/waitlist/stats", { headers: { Authorization: `Bearer ${token}` } }],
    ["/api/v1/oauth/token", {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic(client.clientId, "a-secret-that-is-not-known") },
    }],
  ];
  for (const [path, init] of requests) {
    service.log.length = 0;
    const response = await service.request(path, { ...init, from: SOURCE });
    const message = await assertError(response, 500, "internal_error");

    const errors = service.log.filter(({ level }) => level === "error");
    assert.equal(errors.length, 1, path);
    const [{ error: cause } = {}] = errors;
    assert.match(String(cause), /\n +at /, "the log has the stack");
    assert.doesNotMatch(message, /kv|database|resource|closed|exception|\bat\b|\.ts\b/i);
    const lines = JSON.stringify(service.log);
    for (const secret of secrets) assert.ok(!lines.includes(secret), `${path}: ${secret}`);
  }
  await service.stop();
});

// Decisions, "Limits": a failing KV never fails a request in the limiter, and a refusal costs no KV.
Deno.test("createApi() goes on without KV where none is needed", async () => {
  const kv = await Deno.openKv(":memory:");
  const service = await serveOn(kv);
  kv.close();
  const valid = json({ email: EMAIL, consent: true });
  const requests: [path: string, init: TestRequestInit, status: number][] = [
    ["/api/v1", {}, 200],
    ["/api/v1/status", {}, 200],
    ["/api/v1/nothing", {}, 404],
    ["/api/v1/waitlist", {}, 405],
    ["/api/v1/waitlist", json({}), 422],
    ["/api/v1/waitlist", json({ website: "x" }), 200],
    ["/api/v1/waitlist/stats", {}, 401],
    ["/api/v1/waitlist/stats", { headers: { Authorization: "Bearer x" } }, 401],
    ["/sandbox/api/v1/waitlist", valid, 200],
    ["/openapi.json", {}, 200],
  ];
  for (const [path, init, status] of requests) {
    assert.equal((await service.request(path, init)).status, status, path);
  }
  for (let i = 0; i < 30; i++) await service.request("/api/v1");
  await assertError(await service.request("/api/v1/waitlist", valid), 429, "rate_limited");
  assert.deepEqual(service.log.filter(({ level }) => level === "error"), []);
  await service.stop();
});
