import assert from "node:assert/strict";
import { assertApiHeaders, assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { startTestService, test } from "../../support/service.ts";
import { assertOAuthError } from "../../support/tokens.ts";

const NOTHING = "/api/v1/nothing";
const SIGN_UP = "/api/v1/waitlist";
const LEGACY = "/api/waitlist";
const TOKEN = "/api/v1/oauth/token";
const STATS = "/api/v1/waitlist/stats";

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

const TEXT = "text/plain";
const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
const TOO_LARGE = "x".repeat(65_537);
const USED_UP = "192.0.2.99";

type Step = [
  name: string,
  request: [method: string, path: string, type: string, body: string],
  answer: [status: number, code: string],
];

/**
 * Requests that fail at one step and, as far as they can, at every later one, in the order of work: limit → route and
 * method (404 / 405) → media type (415, token: 400) → size (413) → parse → validate.
 */
const STEPS: Step[] = [
  ...[NOTHING, SIGN_UP, LEGACY, TOKEN, STATS].map((path): Step => [
    `the limit is used up at ${path}`,
    ["PUT", path, TEXT, TOO_LARGE],
    [429, "rate_limited"],
  ]),
  ["the path is unknown", ["PUT", NOTHING, TEXT, TOO_LARGE], [404, "not_found"]],
  ["the method is wrong", ["PUT", SIGN_UP, TEXT, TOO_LARGE], [405, "method_not_allowed"]],
  ["the token's method is wrong", ["PUT", TOKEN, TEXT, TOO_LARGE], [405, "method_not_allowed"]],
  ["the type is wrong", ["POST", SIGN_UP, TEXT, TOO_LARGE], [415, "unsupported_media_type"]],
  ["the token's type is wrong", ["POST", TOKEN, JSON_TYPE, TOO_LARGE], [400, "invalid_request"]],
  ["the body is too large", ["POST", SIGN_UP, JSON_TYPE, TOO_LARGE], [413, "payload_too_large"]],
  ["the token's body is too large", ["POST", TOKEN, FORM, TOO_LARGE], [413, "payload_too_large"]],
  [
    "the body is malformed",
    ["POST", SIGN_UP, JSON_TYPE, '{"website":"x","role":"x",'],
    [400, "invalid_json"],
  ],
  [
    "a field is unknown",
    ["POST", SIGN_UP, JSON_TYPE, '{"role":"x","email":"ada","consent":false}'],
    [400, "invalid_request"],
  ],
  [
    "the address is wrong",
    ["POST", SIGN_UP, JSON_TYPE, '{"email":"ada","consent":false}'],
    [422, "invalid_email"],
  ],
  [
    "consent is missing",
    ["POST", SIGN_UP, JSON_TYPE, '{"email":"ada@example.com"}'],
    [422, "consent_required"],
  ],
];

for (const prefix of PREFIXES) {
  const environment = prefix === "" ? "production" : "the sandbox";
  // Clauses: contract "Errors" shape; RFC 6749 §2.3.1 brute force; RFC 6585 §4 caching.
  Deno.test(`createApi() for ${environment} makes its checks in the contract's order, and answers with the error of the first failed check`, async (t) => {
    await using service = await startTestService();
    const limit = prefix === "" ? 30 : 120;
    for (let n = 0; n < limit; n++) await service.request(`${prefix}/api/v1`, { from: USED_UP });
    for (const [name, [method, path, type, text], [status, code]] of STEPS) {
      await t.step(`${status} when ${name}`, async () => {
        const { body, state } = watched(text);
        const headers = new Headers({ "Content-Type": type });
        if (text === TOO_LARGE) headers.set("Content-Length", String(text.length));
        const from = status === 429 ? USED_UP : newAddress();
        const response = await service.request(prefix + path, { method, headers, body, from });
        assert.equal(response.headers.get("retry-after"), status === 429 ? "40" : null);
        assert.equal(response.headers.get("www-authenticate"), null);
        const isOAuthError = path === TOKEN && status === 400;
        await (isOAuthError ? assertOAuthError : assertError)(response, status, code);
        assert.equal(state.touched, text !== TOO_LARGE, "a later step looks at nothing");
      });
    }
    await assertNothingStored(service.kv);
  });
}

// Clauses: contract "Versioning" header; RFC 9110 §8.6; RFC 9110 §9.3.2.
test(
  "createApi() sends the API's headers in each answer to HEAD, errors included",
  async (service, t) => {
    const statuses: number[] = [];
    for (const prefix of PREFIXES) {
      for (const path of ["/api/v1", "/api/v1/status", SIGN_UP, "/api/v1/waitlist/stats", "/api"]) {
        await t.step(`HEAD ${prefix}${path}`, async () => {
          const response = await service.request(prefix + path, { method: "HEAD" });
          assertApiHeaders(response);
          assert.match(response.headers.get("content-length") ?? "", /^[1-9]\d+$/);
          assert.equal(await response.text(), "");
          statuses.push(response.status);
        });
      }
    }
    assert.deepEqual(statuses, [200, 200, 405, 401, 404, 200, 200, 405, 401, 404]);
  },
);

// Clauses: RFC 6749 §3.2 POST; RFC 9110 §9.1; RFC 9110 §15.5.6.
test("createApi() names the accepted methods in Allow when it answers 405", async (service, t) => {
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
        await t.step(`${method} ${prefix}${path}`, async () => {
          const response = await service.request(prefix + path, {
            method,
            headers: { "Origin": "https://other.example", "Access-Control-Request-Method": "POST" },
            from: newAddress(),
          });
          assert.equal(response.headers.get("allow"), allow, `${method} ${path}`);
          assert.equal(response.headers.get("www-authenticate"), null);
          const message = await assertError(response, 405, "method_not_allowed");
          assert.ok(message.includes(allow.replace(", ", " or ")), message);
        });
      }
    }
  }
});
