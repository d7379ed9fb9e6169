/** The examples of the OpenAPI document are valid by the schemas that they stand beside. */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { startTestService } from "../support/service.ts";

type Node = Record<string, unknown>;

/** An example with the schema that it stands beside, and where. */
interface PlacedExample {
  place: string;
  schema: string;
  value: unknown;
}

/** Finds every example of a document: of media types, headers and schemas. */
function examplesOf(node: unknown, place = "#"): PlacedExample[] {
  if (typeof node !== "object" || node === null) return [];
  const { example, examples, schema } = node as Node;
  const found: PlacedExample[] = [];
  if (example !== undefined && schema) {
    found.push({ place, schema: `${place}/schema`, value: example });
  }
  if (Array.isArray(examples)) {
    for (const value of examples) found.push({ place, schema: place, value });
  } else if (examples && schema) {
    for (const [name, { value }] of Object.entries(examples as Record<string, Node>)) {
      found.push({ place: `${place}/examples/${name}`, schema: `${place}/schema`, value });
    }
  }
  for (const [name, child] of Object.entries(node)) {
    if (name === "value") continue;
    const step = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
    found.push(...examplesOf(child, `${place}/${step}`));
  }
  return found;
}

Deno.test("openapi.json has only examples that their schemas allow when it is served", async () => {
  await using service = await startTestService();
  const document = await (await service.request("/openapi.json")).json();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");

  const examples = examplesOf(document);
  const kinds = ["requestBody", "requestBodies", "headers", "responses", "schemas"];
  for (const kind of kinds) assert.ok(examples.some(({ place }) => place.includes(kind)), kind);
  for (const { place, schema, value } of examples) {
    const validate = ajv.compile({ $ref: `openapi${schema}` });
    assert.ok(validate(value), `${place}: ${ajv.errorsText(validate.errors)}`);
  }
});
