import assert from "node:assert/strict";
import { renderOpenApi } from "../../../openapi/markdown/mod.ts";
import { anchor } from "../../../openapi/markdown/text.ts";
import { environmentUrls } from "../../../server/config/mod.ts";
import { openApiDocument } from "../../../server/discovery/openapi_document.ts";

const urls = environmentUrls("https://api.test", "");
const document = openApiDocument({
  baseUrl: "https://api.test",
  contact: "mailto:hello@api.test",
  siteName: "Analytical Engines",
  service: "engine-web",
  sandboxClient: "try-me",
}, urls);
const markdown = renderOpenApi(document, urls.openapi);

/** The text between a heading and the next of the same level. */
function section(heading: string): string {
  const level = heading.slice(0, heading.indexOf(" ") + 1);
  const [, body = ""] = markdown.split(`\n${heading}\n`);
  return body.split(`\n${level}`)[0] ?? "";
}

interface Example {
  value: unknown;
}

Deno.test("renderOpenApi() writes a section with summary, description and statuses for each operation", async (t) => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      await t.step(`${method} ${path}`, () => {
        const text = section(`### ${method.toUpperCase()} ${path}`);
        assert.ok(text.includes(operation.summary));
        assert.ok(text.includes(operation.description.trim()));
        for (const status of Object.keys(operation.responses)) {
          assert.ok(text.includes(`**${status}** `), `${method} ${path} answers ${status}`);
        }
      });
    }
  }
});

Deno.test("renderOpenApi() shows each example of an answer", () => {
  const responses = document.components.responses as Record<
    string,
    { content?: Record<string, { examples?: Record<string, Example> }> }
  >;
  const blocks = [...markdown.matchAll(/```json\n(.*?)\n```/gs)]
    .map(([, json = ""]) => JSON.stringify(JSON.parse(json)));
  for (const [name, { content = {} }] of Object.entries(responses)) {
    for (const { examples = {} } of Object.values(content)) {
      for (const { value } of Object.values(examples)) {
        assert.ok(blocks.includes(JSON.stringify(value)), `An example of ${name} is missing`);
      }
    }
  }
});

Deno.test("renderOpenApi() lists each field of a request body with its rules", () => {
  const text = section("### POST /api/v1/waitlist");
  for (
    const row of [
      "| `email` | string, email | yes | At most 254 characters. The address to add:",
      "| `consent` | boolean | yes | Must be true.",
      "| `source` | string | no | One of `hero`, `cta`. The form that was used. |",
      "| `lang` | string | no | One of `en`, `de`. The language of",
      "| `website` | string | no | A honeypot:",
      "| `lang` | string | no | One of `en`, `de`, empty. The language of",
    ]
  ) {
    assert.ok(text.includes(row), row);
  }
});

Deno.test("renderOpenApi() lists the fields of objects and maps inside an answer", () => {
  assert.ok(section("### GET /api/v1").includes("| `discovery.apiCatalog` | string, uri | yes |"));
  const statistics = section("### GET /api/v1/waitlist/stats");
  assert.ok(statistics.includes("| `byRole` | map to integer | yes | Counts by role. |"));
  assert.ok(statistics.includes("| `total` | integer | yes | At least 0. All sign-ups. |"));
});

Deno.test("renderOpenApi() lists the request limits, and lists each error code with the operations that return the code", () => {
  assert.match(section("## Limits"), /\| every sandbox call \| 120 \|/);
  const codes = section("## Error codes");
  assert.ok(codes.includes("| 403 | `insufficient_scope` | `getWaitlistStats` |"));
  assert.ok(codes.includes("| 415 | `unsupported_media_type` | `joinWaitlist`,"));
  const inSchemas = [
    ...document.components.schemas.Error.properties.error.enum,
    ...document.components.schemas.OAuthError.properties.error.enum,
  ].filter((code) => code !== "not_found");
  for (const code of inSchemas) assert.ok(codes.includes(`\`${code}\``), code);
});

Deno.test("renderOpenApi() links only to headings that its text has", () => {
  const anchors = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => anchor(text));
  assert.equal(new Set(anchors.filter((each) => /^#(get|head|post)-/.test(each))).size, 9);
  const links = [...markdown.matchAll(/\]\((#[^)]*)\)/g)].map(([, target]) => target);
  assert.ok(links.length >= 9);
  for (const target of links) assert.ok(anchors.includes(target ?? ""), target);
});

Deno.test("renderOpenApi() writes the contact, and the headers that every answer has", () => {
  assert.match(section("## Authentication"), /write to Analytical Engines, <hello@api\.test>/);
  const headers = section("## Headers of every answer");
  const names = [...headers.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  assert.deepEqual(names, [
    "X-API-Version",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "Cache-Control",
    "X-Content-Type-Options",
    "X-Request-Id",
  ]);
});

Deno.test("renderOpenApi() writes well-formed tables when texts contain vertical bars or line breaks", () => {
  const lines = markdown.replace(/```.*?```/gs, "").split("\n");
  const rows = lines.filter((line) => line.startsWith("|"));
  assert.ok(rows.length > 50);
  for (const row of rows) assert.ok(row.endsWith("|"), row);
  assert.doesNotMatch(markdown, /undefined|\[object/);
});
