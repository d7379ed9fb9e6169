import assert from "node:assert/strict";
import { test } from "../../support/service.ts";

test(
  "notFound() answers 404 in HTML or Markdown, as Accept asks, when nothing is at the path",
  async (service, t) => {
    const paths = "/pricing /prices /demo /login /signup /keys /api-keys /pricing/ /operator " +
      "/operator/clients /sandbox /sandbox/ /index.html /Thanks/ /thanks/%20 /developers/more/ " +
      "/assets/ /assets/none.css /assets/../content/en/index.md //";
    for (const path of paths.split(" ")) {
      await t.step(path, async () => {
        const html = await service.request(path);
        assert.equal(html.status, 404);
        assert.equal(html.headers.get("content-type"), "text/html; charset=utf-8");
        assert.equal(html.headers.get("vary"), "Accept, Accept-Encoding");
        assert.equal(html.headers.get("etag"), null);
        const text = await html.text();
        assert(text.includes("<h1>There is no page here</h1>"));
        assert(text.includes('<meta name="robots" content="noindex">'));
        assert.doesNotMatch(text, /rel="canonical"|og:url|hreflang="x-default"/);

        const markdown = await service.request(path, { headers: { Accept: "text/markdown" } });
        assert.equal(markdown.status, 404);
        assert.equal(markdown.headers.get("content-type"), "text/markdown; charset=utf-8");
        assert.match(await markdown.text(), /^# There is no page here\n/);
      });
    }
  },
);

test(
  "notFound() answers in German when the path is below the German home page",
  async (service, t) => {
    for (const path of ["/de/preise", "/de/privacy/", "/de//"]) {
      await t.step(path, async () => {
        const html = await service.request(path);
        assert.equal(html.status, 404);
        assert.match(await html.text(), /<html lang="de">/);
        const markdown = await service.request(path, { headers: { Accept: "text/markdown" } });
        assert.match(await markdown.text(), /^# Hier gibt es keine Seite\n/);
      });
    }
    assert.match(await (await service.request("/desk")).text(), /<html lang="en">/);
  },
);

test("notFound() answers 404 to every method when nothing is at the path", async (service, t) => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    await t.step(method, async () => {
      assert.equal((await service.request("/login", { method })).status, 404);
    });
  }
  const head = await service.request("/login", { method: "HEAD" });
  assert.equal(head.status, 404);
  assert.notEqual(head.headers.get("content-length"), "0");
  assert.equal(await head.text(), "");
});

test("createSite() makes pages in which every link leads to an existing page or file", async (service) => {
  const open = ["/", "/de/", "/thanks/", "/de/danke/", "/pricing", "/de/preise"];
  const texts = new Map<string, string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (texts.has(path)) continue;
    const response = await service.request(path);
    const text = await response.text();
    texts.set(path, text);
    if (!path.match(/^\/(?:de\/)?(?:pricing|preise)$/)) assert.equal(response.status, 200, path);
    if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
    for (const [, href] of text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) open.push(href!);
    for (const [, id] of text.matchAll(/<a [^>]*href="#([^"]*)"/g)) {
      assert(text.includes(`id="${id}"`), `${path}#${id}`);
    }
  }
  assert(texts.has("/developers/") && texts.has("/de/datenschutz/") && texts.has("/openapi.json"));
});
