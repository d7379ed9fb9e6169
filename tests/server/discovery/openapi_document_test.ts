import assert from "node:assert/strict";
import { openApiDocument } from "../../../server/discovery/openapi_document.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";

const options = {
  baseUrl: "https://api.test",
  contact: "mailto:hello@api.test",
  siteName: "Analytical Engines",
  service: "engine-web",
  sandboxClient: "try-me",
};

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

Deno.test("openApiDocument() shows the contact as the kind of address that it is", () => {
  const contactOf = (contact: string) =>
    openApiDocument({ ...options, contact }).info.contact as unknown;
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
    const { servers } = openApiDocument({ ...options, baseUrl: `https://${host}` });
    assert.equal(servers[0]?.url, `https://${host}`);
  }
  const { "x-sandbox-client": client } = openApiDocument({
    ...options,
    service: "sandbox-public-client-web",
    sandboxClient: "waitlist-web",
  });
  assert.equal(client.clientId, "waitlist-web");
});
