import assert from "node:assert/strict";
import { createContract, type Exchange } from "../../shared/contract.ts";
import document from "../../shared/generated/public.json" with { type: "json" };
import { send } from "../support/exchange.ts";
import { basic, createTestClient, form, getAccessToken, json } from "../support/service.ts";
import { startTestService } from "../support/service.ts";

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

Deno.test("check() names one fault exactly when a good answer has just that one", async (t) => {
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

Deno.test("check() lists every fault when there are several", async () => {
  const { status } = await goodExchanges();
  const { check } = await createContract(document);
  const faulty = { ...status, ...headers({ "Cache-Control": null })(status), body: "{}" };
  const findings = check(faulty);
  assert.equal(findings.length, 8, "one header and seven members");
  assert.ok(findings.every((finding) => finding.startsWith("GET /api/v1/status 200: ")));
});

Deno.test("check() takes a media type in any case and with parameters", async () => {
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
