/**
 * The OpenAPI documents, as they are served, have none of the shapes that client generators were found to
 * stumble over: openapi-python-client 0.28 and 0.29, orval 8 (also its zod output), oapi-codegen 2.8, ogen 1.24,
 * datamodel-codegen 0.89, `@hey-api/openapi-ts` 0.99 and openapi-generator 7.25 (Java and TypeScript). No generator
 * runs here.
 */
import assert from "node:assert/strict";
import { OPERATOR_KEY, startOperatedService } from "../support/operator.ts";

type Node = Record<string, unknown>;

/** A JSON Schema, and where it stands in its document. */
interface LocatedSchema {
  pointer: string;
  schema: Node;
}

/** All schemas of a document, those inside others too. */
function* schemasOf(node: Node, pointer = "#"): Generator<LocatedSchema> {
  for (const [name, child] of Object.entries(node)) {
    const at = `${pointer}/${name}`;
    if (!isNode(child) || name === "example" || name === "examples") continue;
    if (name === "schema") yield* schemasIn(child, at);
    else if (name === "schemas") yield* schemasInside(child, at);
    else yield* schemasOf(child, at);
  }
}

function* schemasIn(schema: Node, pointer: string): Generator<LocatedSchema> {
  yield { pointer, schema };
  for (const keyword of ["items", "additionalProperties", "propertyNames", "not"]) {
    const inner = schema[keyword];
    if (isNode(inner)) yield* schemasIn(inner, `${pointer}/${keyword}`);
  }
  for (const keyword of ["properties", "allOf", "anyOf", "oneOf"]) {
    const inner = schema[keyword];
    if (isNode(inner)) yield* schemasInside(inner, `${pointer}/${keyword}`);
  }
}

function* schemasInside(nodes: Node, pointer: string): Generator<LocatedSchema> {
  for (const [name, schema] of Object.entries(nodes)) {
    yield* schemasIn(schema as Node, `${pointer}/${name}`);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** Keywords that say nothing more where the values are listed. */
const BESIDE_VALUES = ["pattern", "format", "minLength", "maxLength", "minimum", "maximum"];

/** What a schema must not have, and who stumbles over it. */
const STUMBLES: [reason: string, has: (schema: Node) => boolean][] = [
  [
    "openapi-python-client leaves out an answer whose allOf narrows an enum by a const, and most " +
    "generators make a class of every allOf",
    (schema) => "allOf" in schema,
  ],
  [
    "orval makes z.literal(…).regex(…) of a const with a pattern, which does not compile",
    (schema) =>
      ("const" in schema || "enum" in schema) && BESIDE_VALUES.some((word) => word in schema),
  ],
  [
    "openapi-generator makes an enum of strings of a boolean constant, which Java does not compile; " +
    "`not: { const: false }` says the same",
    (schema) => schema.type === "boolean" && ("const" in schema || "enum" in schema),
  ],
  [
    "oapi-codegen names a constant after each value, and has a Client of its own",
    (schema) => schema.const === "client" && !("x-enum-varnames" in schema),
  ],
  [
    "oapi-codegen stops at a list of types that is more than one type and null; oneOf says the same",
    ({ type }) => Array.isArray(type) && type.filter((each) => each !== "null").length > 1,
  ],
  [
    "openapi-generator's typescript-fetch leaves out the enums of properties beside oneOf; a reference " +
    "to a schema with the enum says the same",
    ({ oneOf, anyOf, properties }) =>
      (oneOf ?? anyOf) !== undefined &&
      Object.values(properties ?? {}).some((property) => "enum" in property),
  ],
  [
    "openapi-python-client, openapi-generator and datamodel-codegen send a default that the program did not " +
    "set, which changes the `lang` of a known address, and openapi-typescript requires a property with a " +
    "default; a description says what an absent property means",
    (schema) => "default" in schema,
  ],
  [
    "@hey-api/openapi-ts and openapi-typescript make a tuple of a list whose length is fixed, which a list that a " +
    "program has built does not fit",
    ({ minItems, maxItems }) => minItems !== undefined && minItems === maxItems,
  ],
  [
    "Python's `re`, which Schemathesis and datamodel-codegen read patterns with, knows no \\p{…}",
    ({ pattern }) => String(pattern).includes("\\p{"),
  ],
];

/** Names that the generated code has of its own: oapi-codegen's and openapi-python-client's. */
const TAKEN_NAMES = ["Client", "NewClient", "ClientWithResponses", "AuthenticatedClient"];

/** Names that openapi-generator's Go gives functions: it makes a schema X with the function NewX. */
function constructorNames(names: string[]): string[] {
  return names.filter((name) => name.startsWith("New") && names.includes(name.slice(3)));
}

/**
 * The operations that take several media types and have no optional parameter. openapi-python-client makes modules
 * of them that cannot be imported: they use `Unset`, which comes with such a parameter alone.
 */
function withoutOptionalParameter(document: Node): unknown[] {
  const { requestBodies = {} } = document.components as { requestBodies?: Record<string, Node> };
  const operations = Object.values(document.paths as Record<string, Record<string, Node>>)
    .flatMap((path) => Object.values(path));
  const several = Object.entries(requestBodies)
    .filter(([, body]) => Object.keys(body.content as Node).length > 1)
    .map(([name]) => `#/components/requestBodies/${name}`);
  return operations
    .filter(({ requestBody, parameters }) => {
      const { $ref = "" } = (requestBody ?? {}) as { $ref?: string };
      return several.includes($ref) && parameters === undefined;
    })
    .map(({ operationId }) => operationId);
}

const FORM = "application/x-www-form-urlencoded";

/**
 * The schemas that nothing but a form refers to, of forms that are one of several ways to send a body.
 * openapi-generator takes the first way: it leaves such a schema out, and imports it.
 */
function formOnlySchemas(document: Node): string[] {
  const { requestBodies = {} } = document.components as { requestBodies?: Record<string, Node> };
  const operations = Object.values(document.paths as Record<string, Node>)
    .flatMap((path) => Object.values(path) as { requestBody?: Node }[]);
  const bodies = [...Object.values(requestBodies), ...operations.map((each) => each.requestBody)];
  const references = bodies
    .map((body) => (body?.content ?? {}) as Record<string, { schema: { $ref?: string } }>)
    .filter((content) => Object.keys(content).length > 1)
    .map((content) => content[FORM]?.schema.$ref ?? "");
  const text = JSON.stringify(document);
  return references.filter((reference) => {
    const inForms = references.filter((each) => each === reference).length;
    return reference !== "" && text.split(`"${reference}"`).length - 1 === inForms;
  });
}

/** The tags of the operations of some paths or webhooks. */
function tagsOf(paths: Record<string, Record<string, { tags?: string[] }>> = {}): string[] {
  return Object.values(paths).flatMap((path) => Object.values(path)).flatMap(({ tags }) =>
    tags ?? []
  );
}

const DOCUMENTS = ["/openapi.json", "/operator/v1/openapi.json"];

async function readDocument(path: string) {
  await using service = await startOperatedService();
  const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
  return await (await service.request(path, { headers })).json();
}

for (const path of DOCUMENTS) {
  Deno.test(`The service's ${path} has no schema that client generators cannot handle`, async (t) => {
    const document = await readDocument(path);
    const schemas = [...schemasOf(document)];
    assert.ok(schemas.length > 50, `${schemas.length} schemas`);
    for (const [reason, has] of STUMBLES) {
      await t.step(reason, () => {
        const found = schemas.filter(({ schema }) => has(schema)).map(({ pointer }) => pointer);
        assert.deepEqual(found, []);
      });
    }
    assert.deepEqual(formOnlySchemas(document), []);
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(names.filter((name) => TAKEN_NAMES.includes(name)), []);
    assert.deepEqual(constructorNames(names), []);
    assert.deepEqual(withoutOptionalParameter(document), []);
    // openapi-generator makes a file of each tag, one for operations and one for webhooks, with the same name.
    assert.deepEqual(
      tagsOf(document.webhooks).filter((tag) => tagsOf(document.paths).includes(tag)),
      [],
    );
    // oapi-codegen leaves out what only webhooks refer to, and its types of their bodies refer to it.
    assert.doesNotMatch(JSON.stringify(document.webhooks ?? {}), /"\$ref"/);
  });

  Deno.test(`The service's ${path} gives each integer a minimum and a maximum`, async () => {
    const unbounded = [...schemasOf(await readDocument(path))].filter(({ schema }) =>
      schema.type === "integer" && !("const" in schema || "enum" in schema) &&
      !("minimum" in schema && "maximum" in schema)
    );
    assert.deepEqual(unbounded.map(({ pointer }) => pointer), []);
  });
}

Deno.test("The service's /openapi.json limits each text field of requests, except the honeypot 'website'", async () => {
  const { components: { schemas } } = await readDocument("/openapi.json");
  const unbounded = ["WaitlistSignup", "WaitlistSignupForm", "TokenRequest"].flatMap((name) =>
    Object.entries(schemas[name].properties as Record<string, Node>)
      .filter(([, field]) =>
        field.type === "string" &&
        !["const", "enum", "maxLength", "pattern"].some((keyword) => keyword in field)
      )
      .map(([field]) => `${name}.${field}`)
  );
  assert.deepEqual(unbounded, ["WaitlistSignup.website", "WaitlistSignupForm.website"]);
});
