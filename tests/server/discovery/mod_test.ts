import assert from "node:assert/strict";
import { BASE_URL, START, startTestService, test } from "../../support/service.ts";

const DAY = 86_400_000;

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const TEXT = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** All documents by path, with their media types. */
const DOCUMENTS: Record<string, string> = {
  "/.well-known/oauth-authorization-server": "application/json",
  "/.well-known/oauth-authorization-server/sandbox": "application/json",
  "/sandbox/.well-known/oauth-authorization-server": "application/json",
  "/.well-known/oauth-protected-resource/api/v1": "application/json",
  "/.well-known/oauth-protected-resource/sandbox/api/v1": "application/json",
  "/sandbox/.well-known/oauth-protected-resource/api/v1": "application/json",
  "/.well-known/api-catalog": LINKSET,
  "/sandbox/.well-known/api-catalog": LINKSET,
  "/openapi.json": "application/json",
  "/sandbox/openapi.json": "application/json",
  "/openapi.json.md": MARKDOWN,
  "/sandbox/openapi.json.md": MARKDOWN,
  "/llms.txt": TEXT,
  "/robots.txt": TEXT,
  "/sitemap.xml": "application/xml",
  "/.well-known/security.txt": TEXT,
};

// Clauses: contract "What the service does" documents; RFC 8414 §3.1 GET; RFC 8414 §3.2 status;
// RFC 9728 §3.2; RFC 9727 §2 GET; RFC 9727 §4 type; RFC 9727 §4 profile; RFC 9727 §8 read only;
// RFC 9264 §5; RFC 9116 §3.
Deno.test("discoveryDocuments() serves GET and HEAD, answers 304 to a current ETag, and refuses other methods with 405", async (t) => {
  await using service = await startTestService();
  for (const [path, type] of Object.entries(DOCUMENTS)) {
    await t.step(path, async () => {
      const response = await service.request(path);
      const { byteLength } = await response.bytes();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), type);
      const etag = response.headers.get("etag") ?? "";
      assert.match(etag, /^"[^"]+"$/);
      assert.equal(response.headers.get("cache-control"), "public, max-age=300");
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("ratelimit-limit"), null, "documents are not counted");
      assert.ok(byteLength > 0);

      const head = await service.request(path, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-length"), String(byteLength));
      assert.deepEqual(Object.fromEntries(head.headers), Object.fromEntries(response.headers));
      assert.equal(await head.text(), "");

      const known = await service.request(path, { headers: { "If-None-Match": etag } });
      assert.equal(known.status, 304);
      assert.equal(known.headers.get("etag"), etag);
      assert.equal(await known.text(), "");

      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const refused = await service.request(path, { method });
        assert.equal(refused.status, 405, method);
        assert.equal(refused.headers.get("allow"), "GET, HEAD");
        assert.equal(refused.headers.get("content-type"), "application/json");
        assert.equal((await refused.json()).error, "method_not_allowed");
      }
    });
  }
});

test(
  "discoveryDocuments() serves the same text at both paths of a document",
  async (service, t) => {
    const text = async (path: string) => await (await service.request(path)).text();
    for (const name of ["oauth-authorization-server", "oauth-protected-resource"]) {
      await t.step(name, async () => {
        const api = name.endsWith("resource") ? "/api/v1" : "";
        const own = await text(`/sandbox/.well-known/${name}${api}`);
        assert.equal(await text(`/.well-known/${name}/sandbox${api}`), own);
      });
    }
    const [catalog, same] = ["/.well-known/api-catalog", "/sandbox/.well-known/api-catalog"];
    assert.equal(await text(catalog!), await text(same!));
  },
);

test(
  "discoveryDocuments() answers 404 to paths that only resemble the paths of documents",
  async (service, t) => {
    const names = "oauth-authorization-server/ oauth-authorization-server/other " +
      "oauth-protected-resource openid-configuration";
    const paths = names.split(" ").map((name) => `/.well-known/${name}`);
    for (const path of [...paths, "/openapi%2Ejson"]) {
      await t.step(path, async () => {
        assert.equal((await service.request(path)).status, 404);
      });
    }
  },
);

// Clauses: RFC 9116 §2.5.5.
test("discoveryDocuments() moves the Expires field of security.txt forward every day", async (service) => {
  const ask = async () => {
    const response = await service.request("/.well-known/security.txt");
    const [, expires] = /^Expires: (.*)$/m.exec(await response.text()) ?? [];
    return { etag: response.headers.get("etag"), expires: Date.parse(expires ?? "") };
  };
  const first = await ask();
  service.clock.now = START + 3_600_000;
  assert.deepEqual(await ask(), first, "the tag is of use within a day");
  service.clock.now = START + 400 * DAY;
  const later = await ask();
  assert.equal(later.expires - first.expires, 400 * DAY);
  assert.notEqual(later.etag, first.etag);
});

// Clauses: service "Configuration".
test(
  "discoveryDocuments() writes BASE_URL, and never the request's Host, into URLs",
  async (service, t) => {
    for (const path of Object.keys(DOCUMENTS)) {
      await t.step(path, async () => {
        const response = await service.request(path, { headers: { Host: "evil.example" } });
        const text = await response.text();
        // `request()` asks at localhost.
        assert.doesNotMatch(text, /evil\.example|localhost/);
        assert.ok(text.includes(BASE_URL));
      });
    }
  },
);
