import assert from "node:assert/strict";
import { startTestService } from "../../support/service.ts";

Deno.test("createSite() links to nothing that is missing when its pages are followed", async () => {
  await using service = await startTestService();
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
