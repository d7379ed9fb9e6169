/** What a brand changes in names, documents and the console. */
import assert from "node:assert/strict";
import { CONTENT_FOLDER, createSite } from "../../../server/site/mod.ts";
import { LOGO, startBranded, writeContent } from "../../support/brand.ts";
import { SITE_OPTIONS } from "../../support/content.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { test } from "../../support/service.ts";

const social = await Deno.readFile(new URL("assets/social.png", CONTENT_FOLDER));

Deno.test("createSite() reports whether the overlay has its own picture for link previews", async (t) => {
  const table: [files: Record<string, string | Uint8Array>, hasOwnPicture: boolean][] = [
    [{ "brand.yaml": "name: Acme\n" }, false],
    [{ "brand.yaml": "social_image: preview.png\n", "preview.png": social }, true],
    [{ "assets/social.png": social }, true],
  ];
  for (const [files, hasOwnPicture] of table) {
    await t.step(Object.keys(files).join(", "), async () => {
      await using own = await writeContent(files);
      const site = await createSite({ ...SITE_OPTIONS, contentPath: own.path });
      assert.equal(site.hasOwnPicture, hasOwnPicture);
    });
  }
  assert.equal((await createSite(SITE_OPTIONS)).hasOwnPicture, false);
});

Deno.test("createSite() writes the name from brand.yaml into pages and documents unless SITE_NAME is set", async (t) => {
  const files = { "brand.yaml": "name: Analytical Engines\n" };
  const table: [variables: Record<string, string>, name: string][] = [
    [{}, "Analytical Engines"],
    [{ SITE_NAME: "Difference Engines" }, "Difference Engines"],
  ];
  for (const [variables, name] of table) {
    await t.step(JSON.stringify(variables), async () => {
      await using branded = await startBranded(files, variables);
      assert.ok(branded.html.includes(`<span>${name}</span>`));
      const llms = await (await branded.service.request("/llms.txt")).text();
      assert.ok(llms.startsWith(`# ${name}\n`));
      const openapi = await (await branded.service.request("/openapi.json")).json();
      assert.equal(openapi.info.contact.name, name);
    });
  }
});

Deno.test("createConsole() shows the brand's logo and icon, and the brand's name beside a square logo", async (t) => {
  for (
    const [logo, shown] of [
      [
        LOGO,
        /<a href="\/"><img class="mark" src="(\/assets\/brand\/logo\.svg[^"]+)" alt="" width="28" height="28">Acme<\/a>/,
      ],
      [
        LOGO.replace("0 0 32 32", "0 0 128 32"),
        /<a href="\/"><img class="mark" src="([^"]+)" alt="Acme" width="112" height="28"><\/a>/,
      ],
    ] as const
  ) {
    await t.step(logo === LOGO ? "a square logo" : "a wide logo", async () => {
      await using branded = await startBranded(
        { "brand.yaml": "name: Acme\nlogo: logo.svg\n", "logo.svg": logo },
        { OPERATOR_KEY },
      );
      const page = await (await branded.service.request("/operator/sign-in/")).text();
      const [, address = ""] = shown.exec(page) ?? [];
      assert.match(address, /^\/assets\/brand\/logo\.svg/);
      const icon = /<link rel="icon" type="image\/svg\+xml" href="([^"?]+)/.exec(page)?.[1];
      assert.equal(icon, logo === LOGO ? "/assets/brand/logo.svg" : "/assets/favicon.svg");
    });
  }
});

Deno.test("createConsole() shows the built-in logo only when brand.yaml is empty", async (t) => {
  for (const [brand, isThere] of [["{}", true], ["name: Acme", false]] as const) {
    await t.step(brand, async () => {
      await using branded = await startBranded({ "brand.yaml": brand }, { OPERATOR_KEY });
      const page = await (await branded.service.request("/operator/sign-in/")).text();
      assert.equal(page.includes('<svg class="mark"'), isThere);
      assert.doesNotMatch(page, /[A-Z]+_[A-Z]+/, "no variable is named");
    });
  }
});

test(
  "createSite() leaves the section for developers out of the home pages when brand.yaml switches this section off",
  async (service, t) => {
    await using branded = await startBranded({ "brand.yaml": "developers: false\n" });
    const card = /<section class="split">/;
    for (const path of ["/", "/de/"]) {
      await t.step(path, async () => {
        assert.match(await (await service.request(path)).text(), card);
        const home = await (await branded.service.request(path)).text();
        assert.doesNotMatch(home, card);
        assert.match(home, /<section class="questions">/);
      });
    }
  },
);
