import assert from "node:assert/strict";
import { createAssets } from "../../../server/site/assets.ts";
import { startTestService } from "../../support/service.ts";

Deno.test("createAssets() lets a file be kept for good when its address carries its digest", async () => {
  await using service = await startTestService();
  const html = await (await service.request("/")).text();
  const addresses = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) =>
    path!
  );
  assert.equal(addresses.length, 4, "icon, style sheet, script and image");
  for (const address of addresses) {
    assert.match(address, /\?v=[\w-]{10}$/);
    const kept = await service.request(address);
    assert.equal(kept.status, 200, address);
    assert.equal(
      kept.headers.get("cache-control"),
      "public, max-age=31536000, immutable, no-transform",
    );
    assert.equal(kept.headers.get("x-content-type-options"), "nosniff");
    assert.equal(kept.headers.get("vary"), "Accept-Encoding");

    // An old page may ask for an old version: it gets the file there is, which it must not keep.
    const old = await service.request(address.replace(/v=.*/, "v=0123456789"));
    assert.equal(old.status, 200, address);
    assert.equal(old.headers.get("cache-control"), "public, no-cache, no-transform");
    assert.equal(await old.text(), await kept.text());
  }
});

Deno.test("createAssets() sends a media type that fits when asked for each kind of file", async () => {
  await using service = await startTestService();
  const table: [path: string, contentType: string][] = [
    ["/assets/site.css", "text/css; charset=utf-8"],
    ["/assets/sign_up.js", "text/javascript; charset=utf-8"],
    ["/assets/favicon.svg", "image/svg+xml"],
    ["/assets/social.png", "image/png"],
  ];
  for (const [path, contentType] of table) {
    const response = await service.request(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type"), contentType);
    await response.body?.cancel();
  }
});

Deno.test("createAssets() names a file when its type or size cannot be told", () => {
  const bytes = new TextEncoder().encode('<svg viewBox="0 0 1 1"/>');
  assert.throws(() => createAssets([{ name: "font.woff2", bytes }]), {
    message: "content/assets/font.woff2 has an unknown type; the types are css, js, svg, png, " +
      "jpg, webp",
  });
  assert.throws(() => createAssets([{ name: "sun.svg", bytes }]).image("/assets/sun.svg"), {
    message: "content/assets/sun.svg has no size; use a PNG, or an SVG with width and height",
  });
});

Deno.test("createAssets() reads a PNG's size when it stands on a page", async () => {
  const bytes = await Deno.readFile(new URL("../../../content/assets/social.png", import.meta.url));
  const { width, height } = createAssets([{ name: "a.png", bytes }]).image("/assets/a.png");
  assert.deepEqual([width, height], [1200, 630]);
});
