import assert from "node:assert/strict";
import { copyContent } from "../../support/content.ts";
import { startTestService, test } from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";

const VARY = "Accept, Accept-Encoding";

test(
  "createSite() answers HEAD, and answers a known ETag with 304, in HTML, in Markdown and in each content coding",
  async (service, t) => {
    const table: [path: string, accept: string, vary: string][] = [
      ["/developers/", "text/html", VARY],
      ["/developers/", "text/markdown", VARY],
      ["/developers.md", "text/html", "Accept-Encoding"],
    ];
    for (const [path, accept, vary] of table) {
      const etags = new Set<string>();
      for (const coding of ["identity", "gzip", "br"]) {
        await t.step(`${path}: ${accept}, ${coding}`, async () => {
          const headers = { "Accept": accept, "Accept-Encoding": coding };
          const get = await service.request(path, { headers });
          const head = await service.request(path, { headers, method: "HEAD" });
          assert.equal(head.status, 200);
          assert.deepEqual([...head.headers], [...get.headers]);
          assert.equal(head.headers.get("content-length"), String((await get.bytes()).byteLength));
          assert.equal(await head.text(), "");

          const etag = get.headers.get("etag") ?? "";
          etags.add(etag);
          const known = { headers: { ...headers, "If-None-Match": etag } };
          const again = await service.request(path, known);
          assert.equal(again.status, 304);
          assert.equal(again.headers.get("etag"), etag);
          assert.equal(again.headers.get("vary"), vary);
          assert.equal(await again.text(), "");
        });
      }
      assert.equal(etags.size, 3, "one for each coding");
    }
  },
);

test(
  "createSite() answers 405 with an error in JSON when a page is requested by POST, PUT, DELETE or OPTIONS",
  async (service, t) => {
    for (const path of ["/", "/de/danke/", "/thanks", "/assets/site.css", "/de/index.md"]) {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        await t.step(`${method} ${path}`, async () => {
          const response = await service.request(path, { method });
          assert.equal(response.status, 405);
          assert.equal(response.headers.get("allow"), "GET, HEAD");
          assert.equal((await response.json()).error, "method_not_allowed");
        });
      }
    }
  },
);

test(
  "createSite() redirects permanently when a page's path lacks its last slash",
  async (service, t) => {
    const table: [from: string, to: string][] = [
      ["/thanks", "/thanks/"],
      ["/de", "/de/"],
      ["/de/impressum", "/de/impressum/"],
      ["/developers?from=mail", "/developers/?from=mail"],
    ];
    for (const [from, to] of table) {
      await t.step(from, async () => {
        const response = await service.request(from);
        assert.equal(response.status, 308);
        assert.equal(response.headers.get("location"), to);
      });
    }
  },
);

Deno.test("createSite() serves its pages without reading files", async (t) => {
  await using copy = await copyContent();
  await using service = await startTestService({}, copy.folder);
  await Deno.remove(copy.folder, { recursive: true });
  await Deno.mkdir(copy.folder);
  for (const path of ["/", "/de/", "/developers/", "/assets/site.css"]) {
    await t.step(path, async () => {
      const response = await service.request(path);
      assert.equal(response.status, 200);
      assert.notEqual(await response.text(), "");
    });
  }
});

Deno.test("createSite() redirects a path that lacks its last slash, even if the request's Host has an impossible port", async () => {
  await using service = await startListeningService();
  const response = await service.exchange("GET /privacy?a=1 HTTP/1.1\r\nHost: a:99999\r\n\r\n");
  assert.equal(response.status, 308);
  assert.equal(response.headers.get("location"), "/privacy/?a=1");
});
