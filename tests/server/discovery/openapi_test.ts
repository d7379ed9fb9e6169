import assert from "node:assert/strict";
import { renderOpenApi } from "../../../openapi/markdown/mod.ts";
import { environmentUrls } from "../../../server/config/mod.ts";
import { openApiDocument, openApiMarkdown } from "../../../server/discovery/openapi.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";

const options = {
  baseUrl: "https://api.test",
  contact: "mailto:hello@api.test",
  siteName: "Analytical Engines",
  service: "engine-web",
  sandboxClient: "try-me",
};
const urls = environmentUrls(options.baseUrl, "");

// Clauses: contract "Versioning" document.
Deno.test("openApiDocument() names the service's own addresses, name and client when it is served", async () => {
  await using service = await startTestService({
    SERVICE_NAME: "engine",
    SANDBOX_CLIENT: "try-me",
    CONTACT: "https://waitlist.test/contact",
    SITE_NAME: "Analytical Engines",
  });
  const text = await (await service.request("/openapi.json")).text();
  const document = JSON.parse(text);
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "1.1.0");
  assert.deepEqual(
    document.servers.map(({ url }: { url: string }) => url),
    [BASE_URL, `${BASE_URL}/sandbox`],
  );
  assert.deepEqual(document["x-sandbox-client"], { clientId: "try-me", clientSecret: "try-me" });
  assert.deepEqual(document.info.contact, {
    name: "Analytical Engines",
    url: "https://waitlist.test/contact",
  });
  const { Status, ServiceIndex } = document.components.schemas;
  for (const { properties: { service } } of [Status, ServiceIndex]) {
    const { description } = service;
    assert.deepEqual(service, { type: "string", const: "engine-web", description });
  }
  for (const name of ["waitlist.example", "waitlist-web", "sandbox-public-client"]) {
    assert.ok(!text.includes(name), `${name} is not replaced everywhere`);
  }
});

// Decisions, "Index, discovery, documents": the sandbox's server first, and its `tokenUrl`.
Deno.test("openApiDocument() differs by its first server and its tokenUrl when the sandbox serves it", async () => {
  await using service = await startTestService();
  const read = async (path: string) => await (await service.request(path)).json();
  const expected = await read("/openapi.json");
  const { flows: { clientCredentials: flow } } = expected.components.securitySchemes.accessToken;
  assert.equal(expected.servers[0].url, BASE_URL);
  assert.equal(flow.tokenUrl, `${BASE_URL}/api/v1/oauth/token`);
  expected.servers.reverse();
  flow.tokenUrl = `${BASE_URL}/sandbox/api/v1/oauth/token`;
  assert.deepEqual(await read("/sandbox/openapi.json"), expected);
});

Deno.test("openApiDocument() shows the contact as the kind of address that it is", () => {
  const contactOf = (contact: string) =>
    openApiDocument({ ...options, contact }, urls).info.contact as unknown;
  const name = options.siteName;
  for (
    const [contact, shown] of [
      ["mailto:team@api.test", { name, email: "team@api.test" }],
      ["mailto:team@api.test?subject=API", { name, email: "team@api.test" }],
      ["mailto:a%2Bb@api.test", { name, email: "a+b@api.test" }],
      ["https://api.test/contact", { name, url: "https://api.test/contact" }],
      // No `email` by JSON Schema, which asks for a dotted domain.
      ["mailto:hello@localhost", { name, url: "mailto:hello@localhost" }],
      ["mailto:hello@127.0.0.1", { name, url: "mailto:hello@127.0.0.1" }],
      ["mailto:hello@[::1]", { name, url: "mailto:hello@[::1]" }],
    ] as const
  ) {
    assert.deepEqual(contactOf(contact), shown);
  }
});

// Decisions, "Index, discovery, documents": servers filled from BASE_URL.
Deno.test("openApiDocument() keeps a base URL that holds a name which it replaces", () => {
  for (const host of ["waitlist-web.api.test", "sandbox-public-client.test"]) {
    const baseUrl = `https://${host}`;
    const { servers } = openApiDocument({ ...options, baseUrl }, environmentUrls(baseUrl, ""));
    assert.equal(servers[0]?.url, `https://${host}`);
  }
  const swapped = { service: "sandbox-public-client-web", sandboxClient: "waitlist-web" };
  const { "x-sandbox-client": client } = openApiDocument({ ...options, ...swapped }, urls);
  assert.equal(client.clientId, "waitlist-web");
});

Deno.test("openApiMarkdown() is what the generator makes of the service's own document when it is served", async () => {
  for (
    const variables of [
      {},
      {
        SERVICE_NAME: "a",
        SANDBOX_CLIENT: "~",
        CONTACT: "https://waitlist.test/contact_(us)?a=1|2",
      },
      { SITE_NAME: "A & B | <i>*x*</i> $& $1", SANDBOX_CLIENT: "x".repeat(128) },
      { SITE_NAME: "waitlist-web", SERVICE_NAME: "sandbox-public-client" },
    ]
  ) {
    await using service = await startTestService(variables);
    for (const prefix of ["", "/sandbox"]) {
      const document = await (await service.request(`${prefix}/openapi.json`)).json();
      const response = await service.request(`${prefix}/openapi.json.md`);
      assert.equal(response.status, 200);
      const address = `${BASE_URL}${prefix}/openapi.json`;
      assert.equal(await response.text(), renderOpenApi(document, address));
    }
  }
});

Deno.test("openApiMarkdown() is what the generator makes of a document when the base URL is any", () => {
  for (
    const baseUrl of [
      "http://a.b",
      "http://[::1]:8000",
      "https://waitlist-web.example",
      `https://${"a-long-label.".repeat(15)}example.com`,
    ]
  ) {
    const names = { ...options, baseUrl };
    for (const prefix of ["", "/sandbox"]) {
      const urls = environmentUrls(baseUrl, prefix);
      const rendered = renderOpenApi(openApiDocument(names, urls), urls.openapi);
      assert.equal(openApiMarkdown(names, urls), rendered);
    }
  }
});
