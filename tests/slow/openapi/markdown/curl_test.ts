import assert from "node:assert/strict";
import { curlLines, sandboxUrl } from "../../../../openapi/markdown/curl.ts";
import type { MediaType, OpenApi, PlacedOperation } from "../../../../openapi/markdown/openapi.ts";
import { outputOf } from "../../../support/process.ts";

const document: OpenApi = {
  openapi: "3.1.0",
  info: { title: "", version: "", summary: "", description: "", contact: { name: "" } },
  servers: [
    { url: "https://api.test", description: "" },
    { url: "https://api.test/sandbox", description: "" },
  ],
  "x-sandbox-client": { clientId: "id", clientSecret: "secret" },
  paths: {},
  components: {},
};

/** A POST with a body, the one example of which is given. */
function post(type: string, value: Record<string, unknown>, more: Partial<PlacedOperation> = {}) {
  const content: Record<string, MediaType> = {
    [type]: { schema: {}, examples: { only: { value } } },
  };
  return {
    method: "POST",
    path: "/p",
    operationId: "p",
    summary: "",
    description: "",
    security: [],
    requestBody: { content },
    responses: {},
    ...more,
  };
}

Deno.test("curlLines() quotes values whose characters a shell would interpret", async () => {
  const value = { text: 'it\'s $HOME & "more" `x` \\' };
  const [line = ""] = curlLines(document, post("application/json", value));
  // The shell itself says which arguments it reads.
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const printed = await outputOf(["bash", "-c", script]);
  assert.deepEqual(printed.split("\0").slice(0, -1), [
    "-H",
    "Content-Type: application/json",
    "-d",
    JSON.stringify(value),
    "https://api.test/sandbox/p",
  ]);
});

Deno.test("curlLines() encodes reserved characters in the fields of a form", () => {
  const form = "application/x-www-form-urlencoded";
  const value = { email: "a+b@c.test", note: "1 & 2", scope: "a:b" };
  assert.deepEqual(curlLines(document, post(form, value)), [
    "curl -d email=a%2Bb@c.test -d note=1%20%26%202 -d scope=a:b \\\n  https://api.test/sandbox/p",
  ]);
});

Deno.test("curlLines() sends a client's credentials by HTTP Basic unless the example's body has them", () => {
  const form = "application/x-www-form-urlencoded";
  const security = [{ clientBasic: [] }];
  assert.deepEqual(curlLines(document, post(form, { a: "b" }, { security })), [
    "curl -u id:secret -d a=b https://api.test/sandbox/p",
  ]);
  assert.deepEqual(curlLines(document, post(form, { client_id: "id" }, { security })), [
    "curl -d client_id=id https://api.test/sandbox/p",
  ]);
});

Deno.test("sandboxUrl() throws an error when the OpenAPI document names no sandbox", () => {
  assert.throws(() => sandboxUrl({ ...document, servers: [] }), /names no sandbox/);
});
