/** The operator surface in a test: calls with the key, held against `openapi/operator.yaml`. @module */
import assert from "node:assert/strict";
import type { ServiceVariables } from "../../server/config/mod.ts";
import { type DescribedResponse, readDescription } from "../../shared/contract/description.ts";
import { createSchemaCheck, type SchemaCheck } from "../../shared/contract/schema_check.ts";
import type { AuditEntry, StoredSignup } from "../../shared/operator_schemas.ts";
import document from "../../shared/generated/operator.json" with { type: "json" };
import { json, ndjson, serveOn, type TestRequestInit, type TestService } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { openMemoryKv } from "./memory_kv.ts";
import { testWith } from "./test_with.ts";

/** The operator key of tests. */
export const OPERATOR_KEY = "the operator's key of all tests!".replaceAll(" ", "-");

/** A service whose operator surface is on. */
export interface OperatedService extends TestService {
  /**
   * Calls a path below `/operator/v1` with the key, by POST where there is a body; throws when the answer is not as
   * `openapi/operator.yaml` has it.
   */
  operate: (path: string, body?: unknown, init?: TestRequestInit) => Promise<Response>;
}

/** Starts a service whose operator surface is on. */
export async function startOperatedService(
  variables: ServiceVariables = {},
  kv?: Kv,
): Promise<OperatedService> {
  const service = await serveOn(kv ?? await openMemoryKv(), {
    OPERATOR_KEY,
    ...variables,
  });
  return {
    ...service,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    async operate(path, body, init) {
      const request: TestRequestInit = { ...body === undefined ? {} : json(body), ...init };
      const response = await service.request(`/operator/v1${path}`, {
        ...request,
        headers: {
          ...Object.fromEntries(new Headers(request.headers)),
          Authorization: `Bearer ${OPERATOR_KEY}`,
        },
      });
      await assertDescribed({ path: `/operator/v1${path}`, method: request.method }, response);
      return response;
    },
  };
}

/** A test of a service whose operator surface is on. */
export const test = testWith(startOperatedService);

const { responsesTo, components } = readDescription(document);
let schemaCheck: Promise<SchemaCheck> | undefined;

/** Asserts that an answer is one that the document has for its path and method, headers and body. */
export async function assertDescribed(
  { path, method = "GET" }: { path: string; method?: string | undefined },
  response: Response,
): Promise<void> {
  const template = templateOf(path);
  if (!template) return assert.equal(response.status, 404, `${path} is not in the document`);
  const described = responsesAt(template, method === "HEAD" ? "GET" : method)[response.status];
  assert.ok(described, `${method} ${template} ${response.status} is not in the document`);
  const check = await (schemaCheck ??= createSchemaCheck(components));
  const findings: string[] = [];
  for (const [name, { schema, required }] of Object.entries(described.headers)) {
    const text = response.headers.get(name);
    const value = schema.type === "integer" && text !== null ? Number(text) : text;
    if (text !== null || required) findings.push(...check(schema, value, name));
  }
  const type = response.headers.get("content-type") ?? "";
  const schema = described.content?.[type]?.schema;
  if (!schema) findings.push(`Content-Type '${type}' is not in the document`);
  else if (method !== "HEAD") {
    const text = await response.clone().text();
    const values = type === "application/json" ? [text] : text.trimEnd().split("\n");
    for (const value of values) findings.push(...check(schema, JSON.parse(value), "body"));
  }
  assert.deepEqual(findings, [], `${method} ${path} ${response.status}`);
}

/** Whether the document has a path, which may have a query. */
export function isDescribedPath(path: string): boolean {
  return templateOf(path) !== undefined;
}

function templateOf(path: string): string | undefined {
  return Object.keys(document.paths)
    .find((template) => patternOf(template).test(path.split("?")[0] ?? ""));
}

/** What refuses a method that a path does not have: limit and key come before it. */
const REFUSALS = ["401", "405", "429"];

/** The responses that the document has for a method at a path. */
function responsesAt(template: string, method: string): Record<string, DescribedResponse> {
  const methods = Object.keys(document.paths[template as keyof typeof document.paths]);
  if (methods.includes(method.toLowerCase())) return responsesTo(method, template);
  const [other = ""] = methods.filter((name) => name === "get" || name === "post");
  return Object.fromEntries(
    Object.entries(responsesTo(other, template)).filter(([status]) => REFUSALS.includes(status)),
  );
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/{\w+}/g, "[^/]+")}$`);
}

/** Asserts an error of the operator surface; returns its message, which is a sentence. */
export async function assertOperatorError(
  response: Response,
  status: number,
  code: string,
): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("content-type"), "application/json");
  const { error, message, ...rest } = JSON.parse(text);
  assert.deepEqual({ error, rest }, { error: code, rest: {} });
  assert.match(message, /^[A-Z].+\.$/);
  return message;
}

/** Asserts that a call is refused; gives its error as text, such as `409 conflict: The service sends no e-mails.` */
export async function refusalOf(call: Promise<Response>): Promise<string> {
  const response = await call;
  const { status } = response;
  assert.ok(status >= 400, `it is not refused, but answered with ${status}`);
  const { error } = await response.clone().json();
  return `${status} ${error}: ${await assertOperatorError(response, status, error)}`;
}

/** The JSON of a call that must succeed; it is a GET where there is no body, unless told otherwise. */
export async function call<Answer = Awaited<ReturnType<Response["json"]>>>(
  { operate }: Pick<OperatedService, "operate">,
  path: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<Answer> {
  const response = await operate(path, body, { method });
  assert.equal(response.status, 200, await response.clone().text());
  return await response.json();
}

/** Asserts that a path refuses each body, with a message that says why. */
export async function assertRefused(
  service: OperatedService,
  path: string,
  bodies: [body: unknown, message: RegExp][],
): Promise<void> {
  for (const [body, expected] of bodies) {
    const refused = await service.operate(path, body);
    const message = await assertOperatorError(refused, 400, "invalid_request");
    assert.match(message, expected, `${path} ${JSON.stringify(body)}`);
  }
}

/** The entries of the audit log; a query selects some of them. */
export async function readAudit(service: OperatedService, query = ""): Promise<AuditEntry[]> {
  const lines = await readNdjson(await service.operate(`/audit${query}`));
  const end = lines.pop();
  assert.deepEqual(end, { complete: true, count: lines.length });
  return lines as AuditEntry[];
}

/** The values of an NDJSON answer. */
export async function readNdjson(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(response.headers.get("content-type"), "application/x-ndjson");
  assert.ok(text.endsWith("\n"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The last line of an operation that streams its progress, such as a recount: what it has done. */
export async function lastLineOf(
  service: OperatedService,
  path: string,
  body: unknown = {},
): Promise<Record<string, unknown>> {
  return (await readNdjson(await service.operate(path, body))).at(-1)!;
}

/** Imports people, of whom the service must refuse nobody. */
export async function importPeople(service: OperatedService, people: object[]): Promise<void> {
  const response = await service.operate("/signups/import", undefined, ndjson(people));
  assert.deepEqual((await response.json()).refusals, []);
}

/** The line of an import for a waiting person with the address `<name>@example.com`. */
export const importLine = (name: string, further: object = {}) => ({
  email: `${name}@example.com`,
  consentedAt: "2026-05-01T09:30:00.000Z",
  state: "waiting",
  ...further,
});

/** All exported people, without the links to their pages. */
export async function exportPeople(service: OperatedService): Promise<StoredSignup[]> {
  const lines = await readNdjson(await service.operate("/signups/export", {}));
  // The cast is safe because `operate()` has held each line against the OpenAPI document.
  return lines.filter((each) => "email" in each) as unknown as StoredSignup[];
}

/** People of an answer without the links to their pages, which are encrypted anew in each answer. */
export function withoutPlaceUrls(people: Record<string, unknown>[]): Record<string, unknown>[] {
  return people.map(({ placeUrl, ...person }) => {
    if (person.email) assert.match(String(placeUrl), /\/(place|de\/platz)\/\?t=[\w.-]+$/);
    return person;
  });
}
