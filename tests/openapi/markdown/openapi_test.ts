import assert from "node:assert/strict";
import { resolve } from "../../../openapi/markdown/openapi.ts";

const document = {
  components: { schemas: { A: { type: "string" }, B: { $ref: "#/components/schemas/A" } } },
};

Deno.test("resolve() follows a `$ref` that leads to another `$ref`", () => {
  assert.deepEqual(resolve(document, { $ref: "#/components/schemas/B" }), { type: "string" });
  assert.deepEqual(resolve(document, { type: "integer" }), { type: "integer" });
});

Deno.test("resolve() throws an error that names the `$ref` when the `$ref` leads nowhere", () => {
  assert.throws(() => resolve(document, { $ref: "#/components/headers/C" }), {
    message: "The OpenAPI document has no '#/components/headers/C'",
  });
});
