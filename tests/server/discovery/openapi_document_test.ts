import assert from "node:assert/strict";
import { openApiDocument } from "../../../server/discovery/openapi_document.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";

const PATHS = ["/openapi.json", "/sandbox/openapi.json"];

// Decisions, "Index, discovery, documents": strong ETag, max-age, 304, any origin, 405 otherwise.
Deno.test("createApp() serves the OpenAPI document at both of its paths", async () => {
  await using service = await startTestService();
  const texts = new Set<string>();
  const tags = new Set<string | null>();
  for (const path of PATHS) {
    const response = await service.request(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.match(response.headers.get("etag") ?? "", /^"[^"]+"$/);
    assert.equal(response.headers.get("cache-control"), "public, max-age=300");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    texts.add(await response.text());
    tags.add(response.headers.get("etag"));
  }
  assert.equal(texts.size, 1, "the sandbox answers the same document");
  assert.equal(tags.size, 1);
  const document = JSON.parse([...texts].join());
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "1.1.0");
  assert.deepEqual(
    document.servers.map(({ url }: { url: string }) => url),
    [BASE_URL, `${BASE_URL}/sandbox`],
  );
  assert.deepEqual(document["x-sandbox-client"], {
    clientId: "sandbox-public-client",
    clientSecret: "sandbox-public-client",
  });
});

Deno.test("createApp() answers HEAD, 304 and 405 for the OpenAPI document", async () => {
  await using service = await startTestService();
  for (const path of PATHS) {
    const get = await service.request(path);
    const head = await service.request(path, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.deepEqual([...head.headers], [...get.headers]);
    assert.equal(await head.text(), "");

    const ifNoneMatch = { "If-None-Match": get.headers.get("etag") ?? "" };
    for (const method of ["GET", "HEAD"]) {
      const unchanged = await service.request(path, { method, headers: ifNoneMatch });
      assert.equal(unchanged.status, 304);
      assert.equal(unchanged.headers.get("etag"), get.headers.get("etag"));
      assert.equal(unchanged.headers.get("access-control-allow-origin"), "*");
      assert.equal(await unchanged.text(), "");
    }

    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await service.request(path, { method, headers: ifNoneMatch });
      assert.equal(refused.status, 405);
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
      const { error, message, ...rest } = await refused.json();
      assert.equal(error, "method_not_allowed");
      assert.equal(typeof message, "string");
      assert.deepEqual(rest, {});
    }
  }
});

const OPTIONS = {
  baseUrl: "https://acme.test",
  contact: "mailto:team@acme.test",
  service: "acme-web",
  sandboxClient: "try-me",
};

Deno.test("openApiDocument() puts the service's own addresses and names everywhere", () => {
  const document = openApiDocument(OPTIONS);
  const text = JSON.stringify(document);
  for (const placeholder of ["waitlist.example", "waitlist-web", "sandbox-public-client"]) {
    assert.ok(!text.includes(placeholder), placeholder);
  }
  assert.deepEqual(document.servers.map(({ url }) => url), [
    "https://acme.test",
    "https://acme.test/sandbox",
  ]);
  assert.deepEqual(document["x-sandbox-client"], { clientId: "try-me", clientSecret: "try-me" });
});

Deno.test("openApiDocument() shows the contact as the kind of address that it is", () => {
  const contactOf = (contact: string) =>
    openApiDocument({ ...OPTIONS, contact }).info.contact as unknown;
  assert.deepEqual(contactOf("mailto:team@acme.test"), { email: "team@acme.test" });
  assert.deepEqual(contactOf("mailto:team@acme.test?subject=API"), { email: "team@acme.test" });
  assert.deepEqual(contactOf("https://acme.test/contact"), { url: "https://acme.test/contact" });
});

// Decisions, "Index, discovery, documents": servers filled from BASE_URL.
Deno.test("openApiDocument() keeps a base URL that holds a name which it replaces", () => {
  for (const host of ["waitlist-web.acme.test", "sandbox-public-client.test"]) {
    const { servers } = openApiDocument({ ...OPTIONS, baseUrl: `https://${host}` });
    assert.equal(servers[0]?.url, `https://${host}`);
  }
  const { "x-sandbox-client": client } = openApiDocument({
    ...OPTIONS,
    service: "sandbox-public-client-web",
    sandboxClient: "waitlist-web",
  });
  assert.equal(client.clientId, "waitlist-web");
});
