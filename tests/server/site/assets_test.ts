import assert from "node:assert/strict";
import { createAssets } from "../../../server/site/assets.ts";
import { test } from "../../support/service.ts";

test(
  "createAssets() lets browsers cache a file for ever when the URL has the file's digest",
  async (service, t) => {
    const html = await (await service.request("/")).text();
    const addresses = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) =>
      path!
    );
    assert.equal(addresses.length, 6, "font, icon, style sheet, script and images");
    for (const address of addresses) {
      await t.step(address, async () => {
        assert.match(address, /\?v=[\w-]{10}$/);
        const kept = await service.request(address);
        assert.equal(kept.status, 200);
        assert.equal(
          kept.headers.get("cache-control"),
          "public, max-age=31536000, immutable, no-transform",
        );
        assert.equal(kept.headers.get("x-content-type-options"), "nosniff");
        assert.equal(kept.headers.get("vary"), "Accept-Encoding");

        // An old page may ask for an old version: it gets the file there is, which it must not keep.
        const old = await service.request(address.replace(/v=.*/, "v=0123456789"));
        assert.equal(old.status, 200);
        assert.equal(old.headers.get("cache-control"), "public, no-cache, no-transform");
        assert.equal(await old.text(), await kept.text());
      });
    }
  },
);

test(
  "createAssets() sends each kind of file with its media type",
  async (service, t) => {
    const table: [path: string, contentType: string][] = [
      ["/assets/site.css", "text/css; charset=utf-8"],
      ["/assets/sign_up.js", "text/javascript; charset=utf-8"],
      ["/assets/favicon.svg", "image/svg+xml"],
      ["/assets/social.png", "image/png"],
      ["/assets/figtree.woff2", "font/woff2"],
      ["/assets/figtree.txt", "text/plain; charset=utf-8"],
    ];
    for (const [path, contentType] of table) {
      await t.step(path, async () => {
        const response = await service.request(path);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("content-type"), contentType);
        await response.body?.cancel();
      });
    }
  },
);

Deno.test("createAssets() throws an error that names the file when the file's type or the picture's size is unknown", () => {
  const bytes = new TextEncoder().encode('<svg width="1"/>');
  assert.throws(() => createAssets([{ name: "font.ttf", label: "/acme/assets/font.ttf", bytes }]), {
    message: "/acme/assets/font.ttf has an unknown type; the types are css, js, svg, png, " +
      "jpg, webp, woff2, txt",
  });
  assert.throws(() => createAssets([{ name: "a.constructor", label: "a.constructor", bytes }]), {
    message: /^a\.constructor has an unknown type/,
  });
  assert.throws(
    () =>
      createAssets([{ name: "sun.svg", label: "acme/sun.svg", bytes }]).image("/assets/sun.svg"),
    {
      message: "acme/sun.svg has no size; use a PNG, or an SVG with width and height, " +
        "or a viewBox",
    },
  );
});

Deno.test("createAssets() writes URLs with digests into a style sheet, and removes the style sheet's comments", () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const css = {
    name: "a.css",
    label: "a.css",
    bytes: encode("/*! (c) */ /* it's */src:/**/url(\"b.woff2\"); mask: url('data:/**/')"),
  };
  const assets = createAssets([css, { name: "b.woff2", label: "b.woff2", bytes: encode("font") }]);
  assert.equal(assets.fontsOf("a.css").length, 1);
  assert.match(assets.fontsOf("a.css")[0]!, /^\/assets\/b\.woff2\?v=[\w-]{10}$/);
  const request = new Request("http://localhost/assets/a.css");
  return assets.answer("/assets/a.css", request)!.text().then((text) =>
    assert.equal(
      text,
      `/*! (c) */  src: url("${assets.fontsOf("a.css")[0]}"); mask: url('data:/**/')`,
    )
  );
});

Deno.test("image() of createAssets() throws an error that names the folder assets/ when an image is not there", async (t) => {
  const { image } = createAssets([]);
  for (const path of ["https://a.example/b.png", "b.png"]) {
    await t.step(JSON.stringify(path), () => {
      assert.throws(() => image(path), {
        message:
          `the image '${path}' is not in assets/; put it there, and write /assets/ and its name`,
      });
    });
  }
});

Deno.test("createAssets() throws an error that names the URL when a style sheet loads a file from another host", async (t) => {
  const create = (css: string) =>
    createAssets([{ name: "a.css", label: "acme/a.css", bytes: new TextEncoder().encode(css) }]);
  for (
    const [before, after] of [["@import '", "';"], ["@import url(", ")"], ['a{src:url( "', '")}']]
  ) {
    await t.step(JSON.stringify(before), () => {
      for (const address of ["https://a.example/b.css", "//a.example/b"]) {
        assert.throws(() => create(`${before}${address}${after}`), {
          message:
            `acme/a.css: '${address}' is on another host, from which the pages load nothing; ` +
            "put the file into assets/, and write its name",
        });
      }
    });
  }
  create('/* url(https://a.example) */ a { background: url("data:image/svg+xml,//a") }');
});
