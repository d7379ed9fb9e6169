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

// Clauses: RFC 8414 §2 required; RFC 8414 §2 authorization endpoint; RFC 8414 §2 defaults;
// RFC 8414 §2 scopes; RFC 8414 §3.
test(
  "authorizationServerMetadata() describes the production issuer and the sandbox issuer",
  async (service, t) => {
    for (const prefix of ["", "/sandbox"]) {
      await t.step(`${BASE_URL}${prefix}`, async () => {
        const response = await service.request(`/.well-known/oauth-authorization-server${prefix}`);
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), {
          issuer: `${BASE_URL}${prefix}`,
          token_endpoint: `${BASE_URL}${prefix}/api/v1/oauth/token`,
          scopes_supported: ["waitlist:stats:read"],
          response_types_supported: [],
          grant_types_supported: ["client_credentials"],
          token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
          service_documentation: `${BASE_URL}/developers/`,
          protected_resources: [`${BASE_URL}${prefix}/api/v1`],
        });
      });
    }
  },
);

// Clauses: RFC 9728 §2 resource; RFC 9728 §2 issuers; RFC 9728 §2 scopes; RFC 9728 §2 methods;
// RFC 9728 §3; RFC 9728 §3.2.
test(
  "protectedResourceMetadata() describes the production API and the sandbox API",
  async (service, t) => {
    for (const [prefix, name] of [["", "production"], ["/sandbox", "sandbox"]]) {
      await t.step(`${name}`, async () => {
        const response = await service.request(
          `/.well-known/oauth-protected-resource${prefix}/api/v1`,
        );
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), {
          resource: `${BASE_URL}${prefix}/api/v1`,
          authorization_servers: [`${BASE_URL}${prefix}`],
          scopes_supported: ["waitlist:stats:read"],
          bearer_methods_supported: ["header"],
          resource_name: `Waitlist API (${name})`,
          resource_documentation: `${BASE_URL}/developers/`,
        });
      });
    }
  },
);

const CATALOG = `${BASE_URL}/.well-known/api-catalog`;

interface LinkTarget {
  href: string;
  type?: string;
}

// Clauses: RFC 9727 §2 GET; RFC 9727 §3.1; RFC 9727 §4 endpoints; RFC 9727 §4 metadata.
Deno.test("apiCatalog() lists the production API and the sandbox API, with links to the documents and the status of each API", async (t) => {
  await using service = await startTestService();
  const { linkset: [catalog, ...apis] } = await (await service.request("/.well-known/api-catalog"))
    .json();
  const items = ["", "/sandbox"].map((prefix) => ({ href: `${BASE_URL}${prefix}/api/v1` }));
  assert.deepEqual(catalog, { anchor: CATALOG, item: items });
  assert.equal(apis.length, 2);
  for (const [index, prefix] of ["", "/sandbox"].entries()) {
    await t.step(JSON.stringify(index), () => {
      const { anchor, ...relations } = apis[index] as Record<string, LinkTarget[]>;
      assert.equal(anchor, `${BASE_URL}${prefix}/api/v1`);
      const hrefs = Object.entries(relations)
        .map(([relation, targets]) => [relation, targets.map(({ href }) => href)]);
      assert.deepEqual(Object.fromEntries(hrefs), {
        "service-desc": [`${BASE_URL}${prefix}/openapi.json`],
        "service-doc": [`${BASE_URL}/developers/`, `${BASE_URL}${prefix}/openapi.json.md`],
        "service-meta": [
          `${BASE_URL}/.well-known/oauth-authorization-server${prefix}`,
          `${BASE_URL}/.well-known/oauth-protected-resource${prefix}/api/v1`,
        ],
        "status": [`${BASE_URL}${prefix}/api/v1/status`],
      });
    });
  }
});

// Clauses: RFC 9727 §5.4.
test(
  "apiCatalog() states for each link the media type of the answer at the linked URL",
  async (service, t) => {
    const { linkset } = await (await service.request("/.well-known/api-catalog")).json();
    const targets: LinkTarget[] = linkset.flatMap((context: Record<string, LinkTarget[]>) =>
      Object.values(context).filter(Array.isArray).flat()
    );
    const served = targets.filter(({ href }) => !href.endsWith("/developers/"));
    for (const { href, type } of served) {
      await t.step(href, async () => {
        const response = await service.request(href.slice(BASE_URL.length));
        assert.equal(response.status, 200);
        if (type) assert.equal(response.headers.get("content-type")?.split(";")[0], type);
      });
    }
  },
);

// Clauses: RFC 9727 §2 HEAD.
test("apiCatalog() answers HEAD with a Link header to the catalog itself", async (service) => {
  const response = await service.request("/.well-known/api-catalog", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("link"), `<${CATALOG}>; rel="api-catalog"`);
});

// Clauses: RFC 9264 §4.2.1; RFC 9264 §4.2.2; RFC 9264 §4.2.3; RFC 9264 §4.2.4.1; RFC 9264 §4.2.
test("apiCatalog() returns a linkset that follows all rules of RFC 9264", async (service) => {
  const bytes = await (await service.request("/.well-known/api-catalog")).arrayBuffer();
  const document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  assert.deepEqual(Object.keys(document), ["linkset"]);
  assert.ok(Array.isArray(document.linkset));
  for (const { anchor, ...relations } of document.linkset) {
    assert.ok(URL.canParse(anchor), anchor);
    for (const [relation, targets] of Object.entries<LinkTarget[]>(relations)) {
      // Registered relation types are tokens (RFC 8288 §3.3).
      assert.match(relation, /^[a-z][a-z0-9.-]*$/);
      assert.ok(Array.isArray(targets) && targets.length > 0, relation);
      for (const { href, ...attributes } of targets) {
        assert.ok(URL.canParse(href), href);
        for (const [name, value] of Object.entries(attributes)) {
          assert.ok(["type", "title"].includes(name), name);
          assert.equal(typeof value, "string");
        }
      }
    }
  }
});
