import assert from "node:assert/strict";
import { startTestService, type TestService } from "../../support/service.ts";

const [LISTED, STRANGER] = ["https://www.example.com", "https://evil.example"];
const VARIABLES = { EMBED_ORIGINS: `${LISTED} http://localhost:3000` };
const PREFIXES = ["", "/sandbox"];
const JSON_TYPE = { "Content-Type": "application/json" };
const EXPOSED =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After";

/** Posts a sign-up from a page of an origin. */
function post(service: TestService, path: string, origin: string, init: RequestInit = {}) {
  return service.request(path, {
    method: "POST",
    body: JSON.stringify({ email: "ada@example.com", consent: true }),
    ...init,
    headers: { ...JSON_TYPE, Origin: origin, ...init.headers },
  });
}

/** Asks as a browser does before a script posts JSON. */
function ask(service: TestService, path: string, origin: string, method = "POST") {
  return service.request(path, {
    method: "OPTIONS",
    headers: { "Origin": origin, "Access-Control-Request-Method": method },
  });
}

const corsOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

for (const prefix of PREFIXES) {
  const path = `${prefix}/api/v1/waitlist`;

  Deno.test(`joinWaitlist() lets scripts of an origin in EMBED_ORIGINS read the JSON answers (${path})`, async (t) => {
    await using service = await startTestService(VARIABLES);
    for (
      const [status, init] of [
        [200, {}],
        [200, {}],
        [400, { body: "{" }],
        [415, { headers: { "Content-Type": "text/plain" } }],
        [422, { body: "{}" }],
      ] as const
    ) {
      await t.step(JSON.stringify(init), async () => {
        const response = await post(service, path, LISTED, init);
        assert.equal(response.status, status);
        assert.equal(response.headers.get("access-control-allow-origin"), LISTED);
        assert.equal(response.headers.get("access-control-expose-headers"), EXPOSED);
        assert.equal(response.headers.get("vary"), "Origin");
      });
    }
  });

  Deno.test(`joinWaitlist() sends CORS headers neither to a form nor to an origin outside EMBED_ORIGINS (${path})`, async (t) => {
    await using service = await startTestService(VARIABLES);
    const body = new URLSearchParams({ email: "ada@example.com", consent: "on" });
    const form = { body, headers: { "Content-Type": "application/x-www-form-urlencoded" } };
    for (
      const [name, status, response] of [
        ["a form of a listed origin", 303, await post(service, path, LISTED, form)],
        ["another origin", 200, await post(service, path, STRANGER)],
        ["a listed origin's beginning", 200, await post(service, path, `${LISTED}.evil.example`)],
        ["an opaque origin", 200, await post(service, path, "null")],
        ["GET", 405, await service.request(path, { headers: { Origin: LISTED } })],
        ["the deprecated path", 200, await post(service, `${prefix}/api/waitlist`, LISTED)],
        [
          "another operation",
          200,
          await service.request(`${prefix}/api/v1/status`, { headers: { Origin: LISTED } }),
        ],
      ] as const
    ) {
      await t.step(name, async () => {
        assert.equal(response.status, status);
        assert.deepEqual(corsOf(response), []);
        await response.body?.cancel();
      });
    }
  });

  Deno.test(`joinWaitlist() answers 204 to the preflight request of an origin in EMBED_ORIGINS (${path})`, async () => {
    await using service = await startTestService(VARIABLES);
    const response = await ask(service, path, LISTED);
    assert.equal(response.status, 204);
    const { headers } = response;
    assert.equal(headers.get("access-control-allow-origin"), LISTED);
    assert.equal(headers.get("access-control-allow-methods"), "POST");
    assert.equal(headers.get("access-control-allow-headers"), "content-type");
    assert.equal(headers.get("access-control-max-age"), "7200");
    assert.equal(headers.get("x-api-version"), "1");
    assert.equal(headers.get("ratelimit-remaining"), prefix ? "119" : "29");
    assert.equal(headers.get("content-type"), null);
    assert.equal(await response.text(), "");
  });

  Deno.test(`joinWaitlist() answers 405 to an OPTIONS request when the request is no preflight or the origin is not in EMBED_ORIGINS (${path})`, async (t) => {
    await using service = await startTestService(VARIABLES);
    await using closed = await startTestService();
    for (
      const [name, response] of [
        ["another origin", await ask(service, path, STRANGER)],
        ["another method", await ask(service, path, LISTED, "GET")],
        ["the deprecated path", await ask(service, `${prefix}/api/waitlist`, LISTED)],
        ["another operation", await ask(service, `${prefix}/api/v1/oauth/token`, LISTED)],
        ["no preflight request", await service.request(path, { method: "OPTIONS" })],
        ["a service without listed origins", await ask(closed, path, LISTED)],
      ] as const
    ) {
      await t.step(name, async () => {
        assert.equal(response.status, 405);
        assert.equal(response.headers.get("allow"), "POST");
        assert.deepEqual(corsOf(response), []);
        await response.body?.cancel();
      });
    }
  });
}

Deno.test("joinWaitlist() lets scripts of an origin in EMBED_ORIGINS read Retry-After", async () => {
  await using service = await startTestService(VARIABLES);
  for (let call = 0; call < 30; call++) {
    await (await ask(service, "/api/v1/waitlist", LISTED)).body?.cancel();
  }
  const response = await post(service, "/api/v1/waitlist", LISTED);
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("access-control-allow-origin"), LISTED);
  assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
});
