/**
 * The contract's check. That it finds nothing where a service answers as it should is tried by each request that a test
 * service takes, which throws the findings. @module
 */
import assert from "node:assert/strict";
import { createContract, type Exchange, limitFaults } from "../../shared/contract.ts";
import document from "../../shared/generated/public.json" with { type: "json" };
import { send } from "../support/http_answer.ts";
import {
  basic,
  createTestClient,
  form,
  getAccessToken,
  json,
  startTestService,
  test,
} from "../support/service.ts";

// The first test here, so that the validator is loaded without permissions too.
Deno.test({
  name: "createContract() works in a program that has no permissions",
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

test("check() finds a fault when the path of a call is under none of the servers that the OpenAPI document lists", async (service) => {
  const { check } = await createContract({ ...document, servers: [{ url: "/sandbox/" }] });
  assert.deepEqual(check(await send(service, "/sandbox/api/v1/status")), []);
  assert.deepEqual(check(await send(service, "/api/v1/status")), [
    "GET /api/v1/status 200: the path is not under /api of a server that the document lists",
  ]);
});

Deno.test("createContract() refuses a document that is not a complete OpenAPI 3.1 document", async (t) => {
  const { paths: _paths, ...pathless } = document;
  for (
    const [given, message] of [
      [null, /its "openapi" is undefined, so it is not an OpenAPI 3\.1 document/],
      ["<html>", /its "openapi" is undefined/],
      [{ ...document, openapi: "3.0.3" }, /its "openapi" is "3\.0\.3"/],
      [pathless, /nothing at "#\/paths"/],
      [
        { ...document, components: { ...document.components, headers: {} } },
        /"#\/components\/headers\//,
      ],
    ] as const
  ) {
    await t.step(`${message}`, async () => {
      await assert.rejects(createContract(given), { message });
    });
  }
});

test("check() throws an error that names the missing schema when a `$ref` leads nowhere", async (service) => {
  const status = await send(service, "/api/v1/status");
  const { Status: _status, ...schemas } = document.components.schemas;
  const components = { ...document.components, schemas };
  const { check } = await createContract({ ...document, components });
  assert.throws(() => check(status), { message: /#\/components\/schemas\/Status/ });
});

// Clauses: contract "Versioning" header.
test("request() of a test service throws an error with the faults when an answer does not fit the contract", async (service) => {
  // Years of five digits are no date-time (RFC 3339 §5.6).
  service.clock.now = Date.UTC(10_000, 0);
  await assert.rejects(service.request("/sandbox/api/v1/status"), {
    message: "An answer breaks openapi/public.yaml:\n  GET /sandbox/api/v1/status 200: " +
      'body/time must match format "date-time", not "+010000-01-01T00:00:00.000Z"',
  });
});

const SIGN_UP = { email: "ada@example.com", consent: true };

/** Good answers that the faults below are put into. */
async function goodExchanges() {
  await using service = await startTestService();
  const limited = "192.0.2.2";
  for (let count = 0; count < 30; count++) await service.request("/api/v1", { from: limited });
  const token = await getAccessToken(service, await createTestClient(service));
  return {
    status: await send(service, "/api/v1/status"),
    statusHead: await send(service, "/api/v1/status", { method: "HEAD" }),
    statusPut: await send(service, "/api/v1/status", { method: "PUT" }),
    sandbox: await send(service, "/sandbox/api/v1"),
    stats: await send(service, "/api/v1/waitlist/stats", {
      headers: { Authorization: `Bearer ${token}` },
    }),
    noToken: await send(service, "/api/v1/waitlist/stats"),
    badClient: await send(service, "/api/v1/oauth/token", {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic("a", "b") },
    }),
    joined: await send(service, "/api/v1/waitlist", json(SIGN_UP)),
    thanks: await send(
      service,
      "/api/v1/waitlist",
      form({ email: "ada@example.com", consent: "on" }),
    ),
    legacy: await send(service, "/api/waitlist", json(SIGN_UP)),
    noConsent: await send(service, "/api/v1/waitlist", json({ email: "ada@example.com" })),
    unknown: await send(service, "/api/v1/"),
    limited: await send(service, "/api/v1", { from: limited }),
  };
}

type Good = keyof Awaited<ReturnType<typeof goodExchanges>>;
type Fault = (exchange: Exchange) => Partial<Exchange>;

/** A good answer, the one fault put into it, and the finding after `GET /path 200: `. */
const FAULTS: [good: Good, fault: Fault, finding: string][] = [
  [
    "status",
    () => ({ path: "/apiv1" }),
    "the path is not under /api of a server that the document lists",
  ],
  [
    "status",
    () => ({ status: 201 }),
    "the status is not documented here, expected one of 200, 405, 429, 500",
  ],
  [
    "statusHead",
    () => ({ status: 405 }),
    "the status is not documented here, expected one of 200, 429, 500",
  ],
  [
    "statusPut",
    () => ({ status: 200 }),
    "the status is not documented here, expected one of 405, 429, 500",
  ],
  ["statusPut", headers({ "Allow": "GET" }), 'header Allow must be "GET, HEAD", not "GET"'],
  [
    "unknown",
    () => ({ status: 400 }),
    "the status is not documented here, expected one of 404, 429, 500",
  ],
  ["unknown", headers({ "X-API-Version": null }), "header X-API-Version is missing"],
  [
    "unknown",
    member("error", "invalid_json"),
    'body/error must be "not_found", not "invalid_json"',
  ],

  ["status", headers({ "RateLimit-Policy": null }), "header RateLimit-Policy is missing"],
  [
    "joined",
    headers({ "X-Content-Type-Options": null }),
    "header X-Content-Type-Options is missing",
  ],
  ["legacy", headers({ "Deprecation": null }), "header Deprecation is missing"],
  [
    "thanks",
    headers({ "Location": "/" }),
    'header Location must be one of "/thanks/", "/de/danke/", not "/"',
  ],
  [
    "status",
    headers({ "RateLimit-Reset": "soon" }),
    'header RateLimit-Reset must be integer, not "soon"',
  ],
  [
    "status",
    headers({ "RateLimit-Reset": "40, 40" }),
    'header RateLimit-Reset must be integer, not "40, 40"',
  ],
  ["status", headers({ "RateLimit-Reset": "61" }), "header RateLimit-Reset must be <= 60, not 61"],
  [
    "sandbox",
    headers({ "Cache-Control": "no-cache" }),
    'header Cache-Control must be "no-store", not "no-cache"',
  ],
  [
    "badClient",
    headers({ "WWW-Authenticate": "Basic" }),
    'header WWW-Authenticate must match pattern "^Basic realm="[^"]+", charset="UTF-8"$", not "Basic"',
  ],
  ["noToken", headers({ "WWW-Authenticate": null }), "header WWW-Authenticate is missing"],
  ["thanks", headers({ "RateLimit-Limit": "30" }), "header RateLimit-Limit is not documented here"],
  [
    "joined",
    headers({ "Deprecation": "@1767225600" }),
    "header Deprecation is not documented here",
  ],

  ["statusHead", () => ({ body: "{}" }), "the body must be empty, not 2 characters long"],
  ["thanks", () => ({ body: "Thanks" }), "the body must be empty, not 6 characters long"],
  ["status", headers({ "Content-Type": null }), "header Content-Type is missing"],
  [
    "status",
    headers({ "Content-Type": "text/html" }),
    'header Content-Type must be application/json, not "text/html"',
  ],
  [
    "status",
    headers({ "Content-Type": "constructor" }),
    'header Content-Type must be application/json, not "constructor"',
  ],
  ["status", () => ({ body: "" }), "the body is not JSON"],
  ["status", () => ({ body: "[]" }), "body must be object, not []"],
  ["joined", member("id", 7), 'body has "id", which is not documented'],
  ["joined", member("accepted", false), "body/accepted must not be false"],
  ["noConsent", member("message", undefined), 'body lacks "message"'],
  [
    "noConsent",
    member("error", "invalid_json"),
    'body/error must be one of "invalid_email", "consent_required", not "invalid_json"',
  ],
  [
    "badClient",
    member("error", "invalid_scope"),
    'body/error must be "invalid_client", not "invalid_scope"',
  ],
  ["status", member("time", "noon"), 'body/time must match format "date-time", not "noon"'],
  ["stats", member("byLang", { en: 0 }), "body/byLang/en must be >= 1, not 0"],
  ["stats", member("total", "many"), 'body/total must be integer, not "many"'],
  [
    "status",
    member("docs", "x".repeat(80)),
    `body/docs must match format "uri", not "${"x".repeat(59)}…`,
  ],

  [
    "limited",
    headers({ "Retry-After": "41" }),
    "header Retry-After must be 40 as RateLimit-Reset is, not 41",
  ],
];

Deno.test("check() returns exactly one finding when an answer has one fault", async (t) => {
  const good = await goodExchanges();
  const { check } = await createContract(document);
  for (const [name, fault, finding] of FAULTS) {
    await t.step(`${name}: ${finding}`, () => {
      assert.deepEqual(check(good[name]), []);
      const exchange = { ...good[name], ...fault(good[name]) };
      const { method, path, status } = exchange;
      assert.deepEqual(check(exchange), [`${method} ${path} ${status}: ${finding}`]);
    });
  }
});

Deno.test("check() returns a finding for each fault when an answer has several faults", async () => {
  const { status } = await goodExchanges();
  const { check } = await createContract(document);
  const faulty = { ...status, ...headers({ "Cache-Control": null })(status), body: "{}" };
  const findings = check(faulty);
  assert.equal(findings.length, 8, "one header and seven members");
  assert.ok(findings.every((finding) => finding.startsWith("GET /api/v1/status 200: ")));
});

Deno.test("check() accepts a media type in upper or lower case and with parameters", async () => {
  const { status } = await goodExchanges();
  const { check } = await createContract(document);
  const fault = headers({ "Content-Type": "Application/JSON ; charset=utf-8" });
  assert.deepEqual(check({ ...status, ...fault(status) }), []);
});

/** Sets headers, or takes those with `null` away. */
function headers(changes: Record<string, string | null>): Fault {
  return (exchange) => {
    const headers = new Headers(exchange.headers);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return { headers };
  };
}

/** Sets a member of the body, or takes it away. */
function member(name: string, value: unknown): Fault {
  return ({ body }) => ({ body: JSON.stringify({ ...JSON.parse(body), [name]: value }) });
}

/** A method, a prefix, a path and the limit that counts there (contract, "Limits"). */
const LIMITS: [method: string, prefix: string, path: string, limit: number][] = [
  ["GET", "", "/api/v1", 30],
  ["GET", "", "/api/v1/status", 120],
  ["HEAD", "", "/api/v1/status", 120],
  ["POST", "", "/api/v1/status", 30],
  ["GET", "", "/api/v1/status/", 30],
  ["GET", "/sandbox", "/api/v1/status", 120],
  ["POST", "/sandbox", "/api/v1/waitlist", 120],
];

for (const [method, prefix, path, limit] of LIMITS) {
  Deno.test(`limitFaults() expects a RateLimit-Limit of ${limit} in the answer to ${method} ${prefix}${path}`, () => {
    const other = 150 - limit;
    const response = { method, place: { prefix, path }, status: 200 };
    assert.deepEqual(limitFaults({ ...response, headers: limitHeaders(limit) }), []);
    assert.deepEqual(limitFaults({ ...response, headers: limitHeaders(other) }), [
      `header RateLimit-Limit must be ${limit} here, not ${other}`,
    ]);
  });
}

/** A status, headers that may go with it, others that break one rule, and the finding. */
const HEADER_FAULTS: [status: number, good: HeadersInit, fault: HeadersInit, finding: string][] = [
  [
    429,
    {},
    { "RateLimit-Policy": "120;w=60" },
    "header RateLimit-Policy must be 30;w=60 as the limit is 30, not 120;w=60",
  ],
  [
    429,
    {},
    { "RateLimit-Remaining": "1" },
    "header RateLimit-Remaining must be 0 on a refusal, not 1",
  ],
  [
    200,
    { "RateLimit-Remaining": "30" },
    { "RateLimit-Remaining": "31" },
    "header RateLimit-Remaining must be at most 30 as the limit is, not 31",
  ],
];

for (const [status, good, fault, finding] of HEADER_FAULTS) {
  Deno.test(`limitFaults() returns the finding: ${finding}`, () => {
    const response = { method: "GET", place: { prefix: "", path: "/api/v1" }, status };
    const findingsOf = (given: HeadersInit) => {
      const headers = limitHeaders(30);
      headers.set("Retry-After", "40");
      for (const [name, value] of new Headers(given)) headers.set(name, value);
      return limitFaults({ ...response, headers });
    };
    assert.deepEqual(findingsOf(good), []);
    assert.deepEqual(findingsOf(fault), [finding]);
  });
}

function limitHeaders(limit: number): Headers {
  return new Headers({
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": "40",
    "RateLimit-Policy": `${limit};w=60`,
  });
}
