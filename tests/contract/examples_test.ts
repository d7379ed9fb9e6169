/**
 * The examples of the OpenAPI document are true: the service, asked so, answers just that. They are valid
 * by the schemas that they stand beside.
 */
import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { RequestedClient } from "../../shared/operator_schemas.ts";
import { basic, createTestClient, form, getAccessToken, json } from "../support/service.ts";
import { SANDBOX_CLIENT, START, startTestService, type TestService } from "../support/service.ts";

/** When the requests of the examples arrive: 42 s before the end of a minute. */
const MOMENT = Date.parse("2026-01-15T09:30:18.000Z");

const SIGN_UP = { email: "ada@example.com", consent: true };

const JOIN = "/api/v1/waitlist";
const TOKEN = "/api/v1/oauth/token";
const STATS = "/api/v1/waitlist/stats";

/** Asks so that the answer is an example of the document. */
type Ask = (service: TestService) => Promise<Response>;

const withToken = async (service: TestService, scopes?: RequestedClient["scopes"]) => {
  const token = await getAccessToken(service, await createTestClient(service, scopes));
  return { headers: { Authorization: `Bearer ${token}` } };
};

const askToken = (fields: Record<string, string>): Ask => (service) =>
  service.request(`/sandbox${TOKEN}`, {
    ...form(fields),
    headers: { Authorization: basic(SANDBOX_CLIENT, SANDBOX_CLIENT) },
  });

/** How to get each example, by the names of the response and the example. */
const ASK: Record<string, Ask> = {
  "Status production": (service) => service.request("/api/v1/status"),
  "ServiceIndex production": (service) => service.request("/api/v1"),
  "WaitlistStats sandbox": async (service) => {
    const sandbox = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
    const token = await getAccessToken(service, sandbox, "/sandbox");
    const headers = { Authorization: `Bearer ${token}` };
    return await service.request(`/sandbox${STATS}`, { headers });
  },
  "WaitlistStats empty": async (service) => service.request(STATS, await withToken(service)),
  "TokenIssued scoped": askToken({ grant_type: "client_credentials" }),
  "TokenIssued unscoped": async (service) => {
    const { clientId, clientSecret } = await createTestClient(service, []);
    return await service.request(TOKEN, {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic(clientId, clientSecret) },
    });
  },
  "Accepted accepted": (service) => service.request(JOIN, json(SIGN_UP)),
  "SignupInvalid unknownField": (service) =>
    service.request(JOIN, json({ ...SIGN_UP, name: "Ada" })),
  "SignupInvalid wrongValue": (service) => service.request(JOIN, json({ ...SIGN_UP, lang: "fr" })),
  "SignupInvalid invalidJson": (service) =>
    service.request(JOIN, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    }),
  "SignupRefused invalidEmail": (service) =>
    service.request(JOIN, json({ ...SIGN_UP, email: "ada" })),
  "SignupRefused consentRequired": (service) =>
    service.request(JOIN, json({ ...SIGN_UP, consent: false })),
  "TokenRequestInvalid missingGrantType": askToken({}),
  "TokenRequestInvalid unsupportedGrantType": askToken({ grant_type: "password" }),
  "TokenRequestInvalid unknownScope": askToken({
    grant_type: "client_credentials",
    scope: "waitlist:write",
  }),
  "ClientRejected invalidClient": (service) =>
    service.request(TOKEN, {
      ...form({ grant_type: "client_credentials" }),
      headers: { Authorization: basic("someone", "wrong") },
    }),
  "TokenRejected unauthorized": (service) => service.request(STATS),
  "TokenRejected invalidToken": (service) =>
    service.request(STATS, { headers: { Authorization: "Bearer abc" } }),
  "ScopeMissing insufficientScope": async (service) =>
    service.request(STATS, await withToken(service, [])),
  "GetOrHeadOnly methodNotAllowed": (service) => service.request(STATS, { method: "PUT" }),
  "PostOnly methodNotAllowed": (service) => service.request(JOIN),
  "PayloadTooLarge payloadTooLarge": (service) =>
    service.request(JOIN, json({ ...SIGN_UP, email: "a".repeat(65_536) })),
  "UnsupportedMediaType unsupportedMediaType": (service) =>
    service.request(JOIN, { method: "POST", body: "email=ada@example.com" }),
  "RateLimited rateLimited": async (service) => {
    for (let call = 0; call < 30; call++) await service.request("/api/v1");
    return await service.request("/api/v1");
  },
  "InternalError internalError": (service) => {
    service.kv.close();
    return service.request(JOIN, json(SIGN_UP));
  },
};

interface ResponseObject {
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { examples?: Record<string, { value: Record<string, unknown> }> }>;
}

// Clauses: RFC 6750 §3 attributes; RFC 6585 §4 explanation.
Deno.test("Each example answer in openapi.json is the service's answer to a matching request", async (t) => {
  await using described = await startTestService();
  const { components } = await (await described.request("/openapi.json")).json();
  const responses = components.responses as Record<string, ResponseObject>;
  const named = Object.entries(responses).flatMap(([name, { content = {} }]) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.entries(examples).map(([example, { value }]) => ({ name, example, value }))
    )
  );
  for (const { name, example, value } of named) {
    await t.step(`${name} ${example}`, async () => {
      // An answer at the old path, or to a sign-up, has the examples of the general one.
      const general = name.replace(/^Legacy|^Signup(?!Invalid|Refused)/, "");
      const ask = ASK[`${general} ${example}`];
      assert.ok(ask, "This test does not know how to ask for it");
      const service = await startTestService();
      // The clock is set; no time passes, which would change the deadline of a read that is under way.
      service.clock.now = MOMENT;
      service.clock.jumped = MOMENT - START;
      const response = await ask(service);
      const body = await response.json();
      await service.stop();
      if (!name.endsWith("InternalError")) service.kv.close();

      // No two tokens are the same.
      if ("access_token" in value) body.access_token = value.access_token;
      assert.deepEqual(body, value);
      for (const header of ["WWW-Authenticate", "Allow", "Retry-After", "Link", "Pragma"]) {
        const given = response.headers.get(header);
        const reference = responses[name]?.headers[header]?.$ref;
        if (given === null || !reference) continue;
        // The challenge's one example is that of its other code.
        if (example === "unauthorized" && header === "WWW-Authenticate") continue;
        const [described] = reference.split("/").slice(-1);
        assert.equal(given, String(components.headers[described ?? ""].example), header);
      }
    });
  }
});

type Node = Record<string, unknown>;

/** An example with the schema that it stands beside, and where. */
interface LocatedExample {
  pointer: string;
  schema: string;
  value: unknown;
}

/** Finds every example of a document: of media types, headers and schemas. */
function examplesOf(node: unknown, pointer = "#"): LocatedExample[] {
  if (typeof node !== "object" || node === null) return [];
  const { example, examples, schema } = node as Node;
  const found: LocatedExample[] = [];
  if (example !== undefined && schema) {
    found.push({ pointer, schema: `${pointer}/schema`, value: example });
  }
  if (Array.isArray(examples)) {
    for (const value of examples) found.push({ pointer, schema: pointer, value });
  } else if (examples && schema) {
    for (const [name, { value }] of Object.entries(examples as Record<string, Node>)) {
      found.push({ pointer: `${pointer}/examples/${name}`, schema: `${pointer}/schema`, value });
    }
  }
  for (const [name, child] of Object.entries(node)) {
    if (name === "value") continue;
    const step = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
    found.push(...examplesOf(child, `${pointer}/${step}`));
  }
  return found;
}

Deno.test("Each example in openapi.json is valid by its schema", async (t) => {
  await using service = await startTestService();
  const document = await (await service.request("/openapi.json")).json();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");

  const examples = examplesOf(document);
  const kinds = ["requestBody", "requestBodies", "headers", "responses", "schemas"];
  for (const kind of kinds) assert.ok(examples.some(({ pointer }) => pointer.includes(kind)), kind);
  for (const { pointer, schema, value } of examples) {
    await t.step(pointer, () => {
      const validate = ajv.compile({ $ref: `openapi${schema}` });
      assert.ok(validate(value), `${pointer}: ${ajv.errorsText(validate.errors)}`);
    });
  }
});
