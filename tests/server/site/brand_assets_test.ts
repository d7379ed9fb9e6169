/** What a brand changes on the pages. */
import assert from "node:assert/strict";
import { DEFAULT_COLORS, paletteOf } from "../../../server/content/colors.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { LOGO, startBranded } from "../../support/brand.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { startTestService } from "../../support/service.ts";

const social = await Deno.readFile(new URL("assets/social.png", CONTENT_FOLDER));

Deno.test("createBrandAssets() shows a square logo before the name, and as the icon of the browser tab", async () => {
  await using branded = await startBranded({
    "brand.yaml": "name: Häuser & Söhne\nlogo: logo.svg\n",
    "logo.svg": LOGO,
  });
  const { html, service } = branded;
  const [, address = ""] =
    /<img class="mark" src="([^"]+)" alt="" width="28" height="28">\n<span>Häuser &amp; Söhne<\/span>/
      .exec(html) ?? [];
  assert.match(address, /^\/assets\/brand\/logo\.svg\?v=[\w-]{10}$/);
  assert.ok(html.includes(`<link rel="icon" type="image/svg+xml" href="${address}">`));
  const logo = await service.request(address);
  assert.equal(logo.status, 200);
  assert.equal(logo.headers.get("content-type"), "image/svg+xml");
  assert.equal(await logo.text(), LOGO);
  assert.doesNotMatch(html, /brand\.css/);
});

Deno.test("createBrandAssets() gives pages and the console a second logo for dark colours when brand.yaml names 'logo_dark'", async (t) => {
  await using branded = await startBranded({
    "brand.yaml": "logo: logo.svg\nlogo_dark: night.svg\n",
    "logo.svg": LOGO,
    "night.svg": LOGO.replace("9", "8"),
  }, { OPERATOR_KEY });
  const picture =
    /<picture><source srcset="(\/assets\/brand\/night\.svg[^"]+)" media="\(prefers-color-scheme: dark\)"><img class="mark" src="\/assets\/brand\/logo\.svg/;
  const signIn = await (await branded.service.request("/operator/sign-in/")).text();
  for (const html of [branded.html, signIn]) {
    await t.step(html === signIn ? "the console" : "a page", async () => {
      const [, address = ""] = picture.exec(html) ?? [];
      assert.match(await (await branded.service.request(address)).text(), /r="8"/);
    });
  }
});

Deno.test("createSite() shows the picture NAME-dark in place of NAME on dark pages when the overlay has both files", async () => {
  const text = "![One](/assets/one.svg) ![Two](/assets/two.svg)\n";
  await using branded = await startBranded({
    "en/one.md": `---\npath: /one/\nlang: en\ntitle: One\ndescription: One.\n---\n\n${text}`,
    "assets/one.svg": LOGO,
    "assets/one-dark.svg": LOGO,
    "assets/two.svg": LOGO,
  });
  const html = await (await branded.service.request("/one/")).text();
  assert.match(
    html,
    /<picture><source srcset="\/assets\/one-dark\.svg\?v=[^"]+" media="\(prefers-color-scheme: dark\)"><img src="\/assets\/one\.svg\?v=[^>]+><\/picture> <img src="\/assets\/two/,
  );
});

Deno.test("createBrandAssets() uses and preloads the brand's font instead of the built-in font", async (t) => {
  const font = new Uint8Array([1, 2, 3]);
  await using branded = await startBranded({
    "brand.yaml": "font: { family: Analytical Sans, file: own.woff2 }\n",
    "own.woff2": font,
  }, { OPERATOR_KEY });
  const { service, html } = branded;
  const signIn = await (await service.request("/operator/sign-in/")).text();
  for (const [page, sheet] of [[html, "brand"], [signIn, "console"]] as const) {
    await t.step(sheet, async () => {
      const [address = "", ...others] = Array.from(
        page.matchAll(/<link rel="preload" as="font"[^>]* href="([^"]+)">/g),
        ([, address]) => address!,
      );
      assert.match(address, /^\/assets\/brand\/own\.woff2\?v=/);
      assert.deepEqual(others, []);
      const response = await service.request(address);
      assert.equal(response.headers.get("content-type"), "font/woff2");
      assert.deepEqual(await response.bytes(), font);
      const css = await (await service.request(`/assets/${sheet}.css`)).text();
      assert.ok(css.includes(`src: url("${address}") format("woff2")`));
      assert.match(css, /:root:root \{\s*--sans: "Analytical Sans", /);
    });
  }
});

Deno.test("createBrandAssets() removes the built-in picture of the sun from all pages when the overlay has a brand", async (t) => {
  const sun = /class="sun"|dawn\.svg/;
  await using builtIn = await startBranded({});
  assert.match(builtIn.html, sun);
  await using branded = await startBranded({ "brand.yaml": "name: <Ada>\n" });
  const place = await (await branded.service.request("/place/")).text();
  for (const html of [branded.html, place]) {
    await t.step(JSON.stringify(html), () => {
      assert.doesNotMatch(html, sun);
    });
  }
  assert.match(branded.html, /<body class="home branded">/);
  const icon = await (await branded.service.request("/assets/favicon.svg")).text();
  assert.match(icon, />&lt;<\/text>/);
  assert.doesNotMatch(icon, /#e0873c/);
  await using own = await startBranded({
    "brand.yaml": "name: Ada\n",
    "assets/dawn.svg": LOGO.replace("<svg", '<svg width="9" height="9"'),
    "assets/favicon.svg": LOGO,
  });
  assert.match(own.html, /dawn\.svg/);
  assert.equal(await (await own.service.request("/assets/favicon.svg")).text(), LOGO);
});

Deno.test("createBrandAssets() shows a wide logo in place of the name, and the first letter of the name as the icon", async () => {
  const wide = '<svg xmlns="http://www.w3.org/2000/svg" width="300px" height="75.0"></svg>';
  await using branded = await startBranded({
    "brand.yaml": 'name: "A & B"\nlogo: word.svg\n',
    "word.svg": wide,
  });
  assert.match(
    branded.html,
    /<img class="mark" src="[^"]+" alt="A &amp; B" width="112" height="28">\n<\/a>/,
  );
  assert.match(
    branded.html,
    /<link rel="icon" type="image\/svg\+xml" href="\/assets\/favicon\.svg/,
  );
});

Deno.test("createSite() serves an icon at /favicon.ico and /apple-touch-icon.png, and answers 404 when the logo is not square", async (t) => {
  const builtIn = await Deno.readFile(new URL("assets/apple-touch-icon.png", CONTENT_FOLDER));
  const square = social.slice();
  new DataView(square.buffer).setUint32(16, 630);
  const own = builtIn.slice();
  own[own.length - 1]! ^= 1;
  const table: [files: Record<string, string | Uint8Array>, icon: Uint8Array | undefined][] = [
    [{}, builtIn],
    [{ "brand.yaml": "logo: logo.png\n", "logo.png": square }, square],
    [{ "brand.yaml": "logo: logo.png\n", "logo.png": social }, undefined],
    [{ "brand.yaml": "name: Ada\n", "assets/apple-touch-icon.png": own }, own],
  ];
  for (const [files, icon] of table) {
    await t.step(`${Object.keys(files).join()}`, async () => {
      await using branded = await startBranded(files);
      for (const path of ["/favicon.ico", "/apple-touch-icon.png"]) {
        const response = await branded.service.request(path);
        assert.equal(response.status, icon ? 200 : 404);
        if (icon) {
          assert.equal(response.headers.get("content-type"), "image/png");
          assert.deepEqual(await response.bytes(), icon);
        } else await response.body?.cancel();
        const posted = await branded.service.request(path, { method: "POST" });
        assert.equal(posted.status, 405);
        await posted.body?.cancel();
      }
    });
  }
});

Deno.test("createBrandAssets() puts the brand's colours after the built-in CSS rules, and puts the company's own CSS rules last", async () => {
  await using branded = await startBranded({
    "brand.yaml": 'colors: { light: { accent: "#7a1fa2" }, dark: { paper: "#000" } }\n',
    "assets/brand.css": ".hero { color: red; }\n",
  });
  const { html, service } = branded;
  const styles = Array.from(
    html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g),
    ([, path]) => path!,
  );
  assert.deepEqual(styles.map((path) => path.replace(/\?.*/, "")), [
    "/assets/site.css",
    "/assets/brand.css",
  ]);
  const guide = await (await service.request("/developers/")).text();
  assert.match(guide, /\/site\.css\?[^]+\/guide\.css\?[^]+\/brand\.css\?/);
  const response = await service.request(styles[1]!);
  assert.equal(response.headers.get("content-type"), "text/css; charset=utf-8");
  const css = await response.text();
  assert.match(
    css,
    /scheme: light\) \{\n[^]+--accent: #7a1fa2;[^]+scheme: dark\) \{\n[^]+--paper: #000000;/,
  );
  assert.ok(css.endsWith(".hero { color: red; }\n"));
  assert.match(
    html,
    /<meta name="theme-color" content="#faf8f3" media="\(prefers-color-scheme: light\)">/,
  );
  assert.match(
    html,
    /<meta name="theme-color" content="#000000" media="\(prefers-color-scheme: dark\)">/,
  );
  // Nothing is inline, as the pages' security headers allow no such thing.
  assert.doesNotMatch(html, /<style|style="/);
});

Deno.test("withBrandAssets() gives the console the brand's colours, and built-in colours where the brand gives none", async () => {
  const modes = (light: string) =>
    new RegExp(
      `scheme: light\\) \\{\\n[^]+--accent: ${light};[^]+scheme: dark\\) \\{\\n[^]+--accent: #8fd0cd;`,
    );
  await using service = await startTestService();
  const builtIn = await (await service.request("/assets/console.css")).text();
  assert.match(builtIn, modes("#14545c"));
  await using branded = await startBranded({
    "brand.yaml": 'colors: { light: { accent: "#7a1fa2" } }\n',
    "assets/brand.css": ".hero { color: red; }\n",
  });
  const css = await (await branded.service.request("/assets/console.css")).text();
  assert.match(css, modes("#7a1fa2"));
  assert.doesNotMatch(css, /#14545c|hero/);
  // On paper the brand's colours do not count.
  const [, printed = ""] = /@media print \{\n {2}:root \{([^}]+)\}/.exec(css) ?? [];
  const used = Object.keys(paletteOf(DEFAULT_COLORS.light))
    .filter((name) => css.includes(`var(--${name})`));
  assert.ok(used.includes("warning"));
  assert.deepEqual(used.filter((name) => !printed.includes(` --${name}: #`)), []);
});

Deno.test("createBrandAssets() gives link previews the brand's picture and the picture's size", async () => {
  await using branded = await startBranded({
    "brand.yaml": "social_image: preview.png\n",
    "preview.png": social,
  });
  const image =
    /"og:image" content="https:\/\/waitlist\.test\/assets\/brand\/preview\.png\?v=[\w-]+">\n<meta property="og:image:width" content="1200">\n<meta property="og:image:height" content="630">/;
  assert.match(branded.html, image);
});
