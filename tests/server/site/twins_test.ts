import assert from "node:assert/strict";
import { BASE_URL, startTestService } from "../../support/service.ts";

/** Pages, and where their Markdown is. */
const TWINS: [page: string, twin: string][] = [
  ["/", "/index.md"],
  ["/de/", "/de/index.md"],
  ["/developers/", "/developers.md"],
  ["/thanks/", "/thanks.md"],
  ["/de/danke/", "/de/danke.md"],
  ["/privacy/", "/privacy.md"],
  ["/de/datenschutz/", "/de/datenschutz.md"],
  ["/imprint/", "/imprint.md"],
  ["/de/impressum/", "/de/impressum.md"],
];

/** The links to what describes the API. */
const API_LINKS = [
  `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog"`,
  `<${BASE_URL}/openapi.json>; rel="service-desc"; type="application/json"`,
  `<${BASE_URL}/developers/>; rel="service-doc"; type="text/html"`,
].join(", ");

Deno.test("createSite() serves a page's Markdown at a path of its own when the page has one", async () => {
  await using service = await startTestService();
  for (const [path, twin] of TWINS) {
    const response = await service.request(twin);
    assert.equal(response.status, 200, twin);
    const { headers } = response;
    assert.equal(headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(headers.get("vary"), "Accept-Encoding");
    assert.equal(headers.get("cache-control"), "public, no-cache, no-transform");
    assert.equal(headers.get("link"), `${API_LINKS}, <${BASE_URL}${path}>; rel="canonical"`);
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    const negotiated = await service.request(path, { headers: { Accept: "text/markdown" } });
    assert.equal(await response.text(), await negotiated.text());
    const asHtml = await service.request(twin, { headers: { Accept: "text/html" } });
    assert.equal(asHtml.headers.get("content-type"), "text/markdown; charset=utf-8");
  }
});

Deno.test("createSite() links to the API's descriptions and the twin when a page is asked for", async () => {
  await using service = await startTestService();
  for (const [path, twin] of TWINS) {
    const link = `<${BASE_URL}${twin}>; rel="alternate"; type="text/markdown"`;
    for (const accept of ["text/html", "text/markdown"]) {
      const { headers } = await service.request(path, { headers: { Accept: accept } });
      assert.equal(headers.get("link"), `${API_LINKS}, ${link}`, path);
    }
    const html = await (await service.request(path)).text();
    const tag = `<link rel="alternate" type="text/markdown" href="${BASE_URL}${twin}">`;
    assert(html.includes(tag), path);
  }
});

Deno.test("createSite() has no twin and no links when a page is of a person, a redirect or not there", async () => {
  await using service = await startTestService();
  const paths = ["/place.md", "/place/sent.md", "/de/platz.md", "/pricing.md", "/de.md", "/.md"];
  for (const path of [...paths, "/developers/index.md", "/developers.md/", "/not-found.md"]) {
    assert.equal((await service.request(path)).status, 404, path);
  }
  for (const path of ["/place/", "/de/platz/gesendet/", "/pricing", "/developers", "/de"]) {
    assert.equal((await service.request(path)).headers.get("link"), null, path);
  }
  const html = await (await service.request("/place/")).text();
  assert(html.includes(`<link rel="alternate" type="text/markdown" href="${BASE_URL}/place/">`));
});

Deno.test("createSite() leaves twins out when it lists its pages in the sitemap", async () => {
  await using service = await startTestService();
  assert.doesNotMatch(await (await service.request("/sitemap.xml")).text(), /\.md\b/);
});
