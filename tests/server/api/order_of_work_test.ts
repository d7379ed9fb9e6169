import assert from "node:assert/strict";
import { assertApiHeaders, assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/*
 * Decisions, "Order of work": source address → limit → route and method (404 / 405) → media type (415,
 * token: 400) → size (413) → parse → validate → act → answer.
 */

const SIGN_UP = "/api/v1/waitlist";
const TOKEN = "/api/v1/oauth/token";

/** A body that tells whether anybody asked for a piece of it. */
function watched(text: string) {
  const state = { touched: false };
  const body = new ReadableStream({
    pull(controller) {
      state.touched = true;
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  }, { highWaterMark: 0 });
  return { body, state };
}

/** Uses up an address's windows of the default and the sandbox's limit. */
async function exhaust(service: TestService, from: string): Promise<void> {
  for (let i = 0; i < 30; i++) await service.request("/api/v1", { from });
  for (let i = 0; i < 120; i++) await service.request("/sandbox/api/v1", { from });
}

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
const TOO_LARGE = "x".repeat(65_537);
const EXHAUSTED = "192.0.2.99";

/**
 * Requests that fail at one step and, as far as they can, at every later one. A body that is too large
 * declares its length; whether the body was `read` shows how far the request came.
 */
const STEPS: {
  name: string;
  request: [method: string, path: string, type: string, body: string];
  from?: string;
  answer: [status: number, code: string];
  read: boolean;
}[] = [
  ...["/api/v1/nothing", SIGN_UP, TOKEN].map((path) => ({
    name: `the limit of ${path} is used up`,
    request: ["PUT", path, "text/plain", TOO_LARGE] as [string, string, string, string],
    from: EXHAUSTED,
    answer: [429, "rate_limited"] as [number, string],
    read: false,
  })),
  {
    name: "the path is unknown",
    request: ["PUT", "/api/v1/nothing", "text/plain", TOO_LARGE],
    answer: [404, "not_found"],
    read: false,
  },
  {
    name: "the method is wrong",
    request: ["PUT", SIGN_UP, "text/plain", TOO_LARGE],
    answer: [405, "method_not_allowed"],
    read: false,
  },
  {
    name: "the token's method is wrong",
    request: ["PUT", TOKEN, "text/plain", TOO_LARGE],
    answer: [405, "method_not_allowed"],
    read: false,
  },
  {
    name: "the media type is wrong",
    request: ["POST", SIGN_UP, "text/plain", TOO_LARGE],
    answer: [415, "unsupported_media_type"],
    read: false,
  },
  {
    name: "the token's media type is wrong",
    request: ["POST", TOKEN, JSON_TYPE, TOO_LARGE],
    answer: [400, "invalid_request"],
    read: false,
  },
  {
    name: "the body is too large",
    request: ["POST", SIGN_UP, JSON_TYPE, TOO_LARGE],
    answer: [413, "payload_too_large"],
    read: false,
  },
  {
    name: "the token's body is too large",
    request: ["POST", TOKEN, FORM, TOO_LARGE],
    answer: [413, "payload_too_large"],
    read: false,
  },
  {
    name: "the body is malformed",
    request: ["POST", SIGN_UP, JSON_TYPE, '{"website":"x","role":"x",'],
    answer: [400, "invalid_json"],
    read: true,
  },
  {
    name: "a field is unknown",
    request: ["POST", SIGN_UP, JSON_TYPE, '{"role":"x","email":"ada","consent":false}'],
    answer: [400, "invalid_request"],
    read: true,
  },
  {
    name: "the address is wrong",
    request: ["POST", SIGN_UP, JSON_TYPE, '{"email":"ada","consent":false}'],
    answer: [422, "invalid_email"],
    read: true,
  },
  {
    name: "consent is missing",
    request: ["POST", SIGN_UP, JSON_TYPE, '{"email":"ada@example.com"}'],
    answer: [422, "consent_required"],
    read: true,
  },
];

for (const prefix of PREFIXES) {
  const environment = prefix === "" ? "production" : "the sandbox";
  // Clauses: contract "Errors" shape.
  Deno.test(`createApi() answers the first step that fails in ${environment}`, async (test) => {
    await using service = await startTestService();
    await exhaust(service, EXHAUSTED);
    for (const { name, request, from, answer, read } of STEPS) {
      await test.step(`${answer[0]} when ${name}`, async () => {
        const [method, path, type, text] = request;
        const { body, state } = watched(text);
        const headers = new Headers({ "Content-Type": type });
        if (text === TOO_LARGE) headers.set("Content-Length", String(text.length));
        const response = await service.request(prefix + path, {
          method,
          headers,
          body,
          ...(from && { from }),
        });
        assert.equal(response.status, answer[0]);
        assertApiHeaders(response);
        assert.equal((await response.json()).error, answer[1]);
        assert.equal(state.touched, read, "a later step looks at nothing");
      });
    }
    await assertNothingStored(service.kv);
  });
}

// Decisions, "Order of work": the source address comes first, so a request without one is counted too.
Deno.test("createApi() counts requests without an address together", async () => {
  await using service = await startTestService();
  await service.request("/api/v1", { from: "" });
  const response = await service.request("/api/v1", { from: "" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("ratelimit-remaining"), "28");
});

// Decisions, "Order of work": every answer carries the headers, errors and 404 included.
// Clauses: contract "Versioning" header; RFC 9110 §8.6; RFC 9110 §9.3.2.
Deno.test("createApi() sets the API's headers when the method is HEAD, whatever the answer", async () => {
  await using service = await startTestService();
  const statuses: number[] = [];
  for (const prefix of PREFIXES) {
    for (const path of ["/api/v1", "/api/v1/status", SIGN_UP, "/api/v1/waitlist/stats", "/api"]) {
      const response = await service.request(prefix + path, { method: "HEAD" });
      assertApiHeaders(response);
      assert.match(response.headers.get("content-length") ?? "", /^[1-9]\d+$/);
      assert.equal(await response.text(), "");
      statuses.push(response.status);
    }
  }
  assert.deepEqual(statuses, [200, 200, 405, 401, 404, 200, 200, 405, 401, 404]);
});

// Contract, error table: 405 applies to all; `Allow` is `GET, HEAD` or `POST`. Decisions: no CORS headers.
// Clauses: RFC 6749 §3.2 POST; RFC 9110 §9.1; RFC 9110 §15.5.6.
Deno.test("createApi() names the accepted methods when it answers 405", async () => {
  await using service = await startTestService();
  const allowed = {
    "/api/v1": "GET, HEAD",
    "/api/v1/status": "GET, HEAD",
    "/api/v1/waitlist/stats": "GET, HEAD",
    "/api/v1/oauth/token": "POST",
    "/api/v1/waitlist": "POST",
    "/api/waitlist": "POST",
  };
  for (const prefix of PREFIXES) {
    for (const [path, allow] of Object.entries(allowed)) {
      const other = allow === "POST" ? "GET" : "POST";
      for (const method of [other, "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
        const response = await service.request(prefix + path, {
          method,
          headers: { "Origin": "https://other.example", "Access-Control-Request-Method": "POST" },
          from: newAddress(),
        });
        assert.equal(response.headers.get("allow"), allow, `${method} ${path}`);
        assert.equal(response.headers.get("www-authenticate"), null);
        const message = await assertError(response, 405, "method_not_allowed");
        assert.ok(message.includes(allow.replace(", ", " or ")), message);
      }
    }
  }
});
