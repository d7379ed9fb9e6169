import assert from "node:assert/strict";
import { assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import { BASE_URL, basic, createTestClient, form, getAccessToken } from "../../support/service.ts";
import { json, serveOn, startTestService, type TestRequestInit } from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

const EMAIL = "ada@example.com";
const SOURCE = "198.51.100.77";

// Clauses: contract "Errors" 500; RateLimit draft errors.
Deno.test("createApi() answers 500 without detail and logs the cause when KV fails", async () => {
  const kv = await openMemoryKv();
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

Deno.test("createApi() goes on without KV where none is needed", async () => {
  const kv = await openMemoryKv();
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

// Clauses: RateLimit draft errors.
Deno.test("createApi() answers 404 with the API's headers when the path is unknown", async () => {
  await using service = await startTestService();
  const paths = [
    ...["/api", "/api/", "/api/v1/", "/api//v1", "/api/v1//status", "/api/v1/status/"],
    ...["/api/v1/Status", "/api/v1/%73tatus", "/api/%761/status", "/api/v1%2Fstatus"],
    ...["/api/v1/status%20", "/api/v1/status;a=b", "/api/v1/status%3Fx", "/api/v1/status.json"],
    ...["/api/v1/waitlist/stats/", "/api/v1/waitlist/ada@example.com", "/api/v1/constructor"],
    ...["/api/v1/__proto__", "/api/v2/status", "/api/status", "/api/waitlist/stats"],
    ...["/api/sandbox/v1", "/api/sandbox/api/v1", "/api/*", "/api/v1/:name"],
    `/api/${"x".repeat(4_000)}`,
  ];
  for (const prefix of PREFIXES) {
    for (const path of paths) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await service.request(prefix + path, { method, from: newAddress() });
        assert.equal(response.headers.get("allow"), null);
        assert.equal(response.headers.get("ratelimit-limit"), prefix === "" ? "30" : "120");
        const message = await assertError(response, 404, "not_found");
        assert.ok(message.includes(`${BASE_URL}${prefix}/api/v1.`), message);
      }
    }
  }
});

/** A GET over a socket, with its target as it stands. */
function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

Deno.test("createApi() matches paths byte for byte when they come over a socket", async () => {
  await using service = await startListeningService();
  const unknown = [
    "/api/v1/./status",
    "/api/v1/../v1/status",
    "/api/v1/%2e%2e/v1/status",
    "/api/v1\\status",
    // Deno 2.5 itself refuses a target that is not ASCII.
    ...(Deno.version.deno.startsWith("2.5.") ? [] : ["/api/v1/stat\u00fcs"]),
  ];
  for (const target of unknown) {
    await assertError(await service.exchange(get(target)), 404, "not_found");
  }
  for (const target of ["/api/v1/status", "/api/v1/status?x", "http://localhost/api/v1/status"]) {
    assert.equal((await service.exchange(get(target))).status, 200, target);
  }
});

Deno.test("createApi() takes no path from the query of an address without one", async () => {
  await using service = await startListeningService();
  for (const target of ["http://localhost?/api/v1/status", "http://localhost?x=/api/v1/status"]) {
    const response = await service.exchange(get(target));
    assert.notEqual(response.headers.get("ratelimit-limit"), "120", target);
  }
});
