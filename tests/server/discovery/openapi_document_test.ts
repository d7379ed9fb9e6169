import assert from "node:assert/strict";
import { BASE_URL, startTestService, test } from "../../support/service.ts";
import { renderOpenApi } from "../../../openapi/markdown/mod.ts";
import { environmentUrls } from "../../../server/config/mod.ts";
import { openApiDocument, openApiMarkdown } from "../../../server/discovery/openapi_document.ts";

const options = {
  baseUrl: "https://api.test",
  contact: "mailto:hello@api.test",
  siteName: "Analytical Engines",
  service: "engine-web",
  sandboxClient: "try-me",
};
const urls = environmentUrls(options.baseUrl, "");

// Clauses: contract "Versioning" document.
Deno.test("openApiDocument() contains the service's own base URL, name and sandbox client in place of the examples", async (t) => {
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
    await t.step(name, () => {
      assert.ok(!text.includes(name));
    });
  }
});

test("openApiDocument() of the sandbox differs from that of production only by its first server and its tokenUrl", async (service) => {
  const read = async (path: string) => await (await service.request(path)).json();
  const expected = await read("/openapi.json");
  const { flows: { clientCredentials: flow } } = expected.components.securitySchemes.accessToken;
  assert.equal(expected.servers[0].url, BASE_URL);
  assert.equal(flow.tokenUrl, `${BASE_URL}/api/v1/oauth/token`);
  expected.servers.reverse();
  flow.tokenUrl = `${BASE_URL}/sandbox/api/v1/oauth/token`;
  assert.deepEqual(await read("/sandbox/openapi.json"), expected);
});

Deno.test("openApiDocument() shows the contact as an e-mail address or as a URL", async (t) => {
  const contactOf = (contact: string) =>
    openApiDocument({ ...options, contact }, urls).info.contact as unknown;
  const name = options.siteName;
  assert.deepEqual(contactOf("mailto:team@api.test"), { name, email: "team@api.test" });
  assert.deepEqual(contactOf("mailto:team@api.test?subject=API"), { name, email: "team@api.test" });
  assert.deepEqual(contactOf("mailto:a%2Bb@api.test"), { name, email: "a+b@api.test" });
  // The others are no `email` by JSON Schema, which asks for a dotted domain.
  for (
    const url of [
      "https://api.test/contact",
      "mailto:a@localhost",
      "mailto:a@127.0.0.1",
      "mailto:a@[::1]",
    ]
  ) {
    await t.step(JSON.stringify(url), () => {
      assert.deepEqual(contactOf(url), { name, url });
    });
  }
});

Deno.test("openApiDocument() writes the base URL unchanged even if the URL contains one of the document's example names", async (t) => {
  for (const host of ["waitlist-web.api.test", "sandbox-public-client.test"]) {
    await t.step(JSON.stringify(host), () => {
      const baseUrl = `https://${host}`;
      const { servers } = openApiDocument({ ...options, baseUrl }, environmentUrls(baseUrl, ""));
      assert.equal(servers[0]?.url, `https://${host}`);
    });
  }
  const swapped = { service: "sandbox-public-client-web", sandboxClient: "waitlist-web" };
  const { "x-sandbox-client": client } = openApiDocument({ ...options, ...swapped }, urls);
  assert.equal(client.clientId, "waitlist-web");
});

Deno.test("openApiMarkdown() returns the OpenAPI document of production or the sandbox as Markdown", async (t) => {
  const table: Partial<typeof options>[] = [
    {},
    { service: "a-web", sandboxClient: "~", contact: "https://api.test/contact_(us)?a=1|2" },
    { siteName: "A & B | <i>*x*</i> $& $1", sandboxClient: "x".repeat(128) },
    { siteName: "waitlist-web", service: "sandbox-public-client-web" },
    { baseUrl: "http://a.b" },
    { baseUrl: "http://[::1]:8000" },
    { baseUrl: "https://waitlist-web.example" },
    { baseUrl: `https://${"a-long-label.".repeat(15)}example.com` },
  ];
  await using service = await startTestService();
  for (const prefix of ["", "/sandbox"]) {
    await t.step(`${BASE_URL}${prefix}`, async () => {
      for (const changes of table) {
        const names = { ...options, ...changes };
        const urls = environmentUrls(names.baseUrl, prefix);
        const rendered = renderOpenApi(openApiDocument(names, urls), urls.openapi);
        assert.equal(openApiMarkdown(names, urls), rendered, JSON.stringify(changes));
      }
      const path = `${prefix}/openapi.json`;
      const rendered = renderOpenApi(await (await service.request(path)).json(), BASE_URL + path);
      assert.equal(await (await service.request(`${path}.md`)).text(), rendered);
    });
  }
});
