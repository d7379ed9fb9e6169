import assert from "node:assert/strict";
import { BASE_URL, startTestService, test } from "../../support/service.ts";

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
