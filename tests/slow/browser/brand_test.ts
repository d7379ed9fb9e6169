/** The pages with a company's brand: its colours and its logo, as a browser shows them. */
import assert from "node:assert/strict";
import { previewBrand } from "../../brand_preview.ts";
import { writeContent } from "../../support/brand.ts";
import { assertFits, startSuite, type Suite, test, violations } from "./support.ts";

/** The colours of buttons and of the ground, as the browser gives them. */
const COLORS = {
  light: { accent: "rgb(122, 31, 162)", paper: "rgb(255, 253, 240)" },
  dark: { accent: "rgb(224, 176, 255)", paper: "rgb(20, 18, 24)" },
};

const BRAND = `name: Analytical Engines
logo: wordmark.svg
logo_dark: wordmark.svg
colors:
  light: { accent: "#7a1fa2", ink: "#1b1b1f", paper: "#fffdf0" }
  dark: { accent: "#e0b0ff", ink: "#eeeeee", paper: "#141218" }
`;

/** A logo that is much wider than a phone. */
const WORDMARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 80"><rect width="1600" height="80" fill="#7a1fa2"/></svg>';

/** The home page with a picture of the product and a line of proof, as `content/README.md` has it. */
const HOME = (await Deno.readTextFile(new URL("../../../content/en/index.md", import.meta.url)))
  .replaceAll(/\{\{if sun\}\}\n\n(!.*)\n\n(?:\{\{else\}\}\n\n.*\n\n)?\{\{end\}\}/g, "$1")
  .replace("![](/assets/dawn.svg)", "![The plan of a house](/assets/product.svg)")
  .replace("{{sign-up hero}}", "{{sign-up hero}}\n\n> “It counts.” Ada Lovelace") + `
::: quotes

> It counts.
>
> Ada Lovelace, Analytical Engines

> It compiles.
>
> Grace Hopper

:::

::: logos

![Engines](/assets/product.svg) ![Compilers](/assets/wide.svg)

:::
`;

const PRODUCT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#888"/></svg>';

/** A picture that is wider than every window here, in the sections and on the page where one can stand. */
const WIDE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="400"><rect width="1600" height="400" fill="#888"/></svg>';
const IMAGE = "![A plan](/assets/wide.svg)";
const PICTURES = `---
path: /pictures/
lang: en
title: Pictures
description: Pictures.
layout: LAYOUT
---

# Pictures

${IMAGE}

::: facts

- **One.** ${IMAGE}
- **Two.** A house.

:::

::: split

## Two

${IMAGE}

\`\`\`sh
curl
\`\`\`

:::
`;

let suite: Suite;
let own: Awaited<ReturnType<typeof writeContent>>;
Deno.test.beforeAll(async () => {
  own = await writeContent({
    "brand.yaml": BRAND,
    "wordmark.svg": WORDMARK,
    "en/index.md": HOME,
    "assets/product.svg": PRODUCT,
    "assets/wide.svg": WIDE,
    "en/wide.md": PICTURES.replace("LAYOUT", "home"),
    "en/wide-text.md": PICTURES.replace("LAYOUT", "text").replace("/pictures/", "/pictures/text/"),
  });
  suite = await startSuite({ CONTENT_PATH: own.path });
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await own[Symbol.asyncDispose]();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const path of ["/", "/de/", "/developers/", "/thanks/", "/pricing"]) {
    test(`The page ${path} shows a brand's logo and colours, and axe finds no fault (${colorScheme})`, async (t) => {
      await using visitor = await suite.visit(path, { colorScheme });
      const { page } = visitor;
      const ground = "getComputedStyle(document.body).backgroundColor";
      assert.equal(await page.evaluate(ground), COLORS[colorScheme].paper);
      const button = 'document.querySelector(".button")';
      if (await page.evaluate(`${button} !== null`)) {
        const color = await page.evaluate(`getComputedStyle(${button}).backgroundColor`);
        assert.equal(color, COLORS[colorScheme].accent);
      }
      assert.deepEqual(await violations(page), []);
      const logo = page.getByRole("img", { name: "Analytical Engines" });
      for (const width of [320, 390, 1280]) {
        await t.step(`${width} px`, async () => {
          await assertFits(page, [width]);
          const box = await logo.boundingBox();
          assert.ok(
            box && box.width > 100 && Math.abs(box.width / box.height - 20) < 1,
            JSON.stringify(box),
          );
          const brand = await page.locator(".site-header .brand").boundingBox();
          assert.equal(box.x, brand?.x, "the logo begins where its line does");
        });
      }
      assert.deepEqual(visitor.complaints, []);
    });
  }
}

for (const path of ["/pictures/", "/pictures/text/"]) {
  test(`The page ${path} shrinks wide pictures to fit the window`, async (t) => {
    await using visitor = await suite.visit(path);
    const { page } = visitor;
    for (const width of [320, 390, 1280]) {
      await t.step(`${width} px`, async () => {
        await assertFits(page, [width]);
        const pictures = await page.getByRole("img", { name: "A plan" }).all();
        assert.equal(pictures.length, 3);
        for (const picture of pictures) {
          const box = (await picture.boundingBox())!;
          assert.ok(box.x + box.width <= width, JSON.stringify({ width, box }));
          assert.ok(Math.abs(box.width / box.height - 4) < 0.1, JSON.stringify(box));
        }
      });
    }
    assert.deepEqual(visitor.complaints, []);
  });
}

test("The home page shows the brand's quotation, and the product's picture beside the form, or below the form on a phone", async () => {
  await using visitor = await suite.visit("/");
  const { page } = visitor;
  const hero = page.locator(".hero");
  const boxOf = async (selector: string) => (await hero.locator(selector).boundingBox())!;
  assert.ok(await hero.getByText("“It counts.” Ada Lovelace").isVisible());
  const [form, picture] = [await boxOf("form"), await boxOf("img")];
  assert.ok(picture.x >= form.x + form.width, JSON.stringify({ form, picture }));
  await page.setViewportSize({ width: 390, height: 800 });
  const [formOnPhone, pictureOnPhone] = [await boxOf("form"), await boxOf("img")];
  assert.ok(pictureOnPhone.y >= formOnPhone.y + formOnPhone.height);
  assert.ok(pictureOnPhone.width <= 390);
});

test("The home page shows a picture beside the product's description, quotations in a row, and logos of the same height", async () => {
  await using visitor = await suite.visit("/");
  const { page } = visitor;
  const boxesOf = async (selector: string) =>
    await Promise.all(
      (await page.locator(selector).all()).map(async (each) => (await each.boundingBox())!),
    );
  const [about] = await boxesOf(".about h2"), [picture] = await boxesOf(".about img");
  assert.ok(about && picture && picture.x > about.x + about.width / 2 && picture.y <= about.y + 1);
  const quotes = await boxesOf(".quotes blockquote");
  assert.equal(new Set(quotes.map(({ y }) => y)).size, 1, JSON.stringify(quotes));
  const logos = await boxesOf(".logos img");
  assert.deepEqual(logos.map(({ height }) => height), [32, 32]);
  await assertFits(page);
});

test("previewBrand() shows light and dark pages side by side, in desktop width and in phone width", async (t) => {
  const { html } = await previewBrand({ CONTENT_PATH: own.path });
  await using visitor = await suite.visit("/", { width: 1280 });
  const { page } = visitor;
  // The policy of a page of the service would forbid the style of the preview.
  await page.goto("about:blank");
  await page.setContent(html, { waitUntil: "domcontentloaded" });
  for (const width of [1280, 390]) {
    await t.step(`${width} px`, async () => {
      await page.getByRole("radio", { name: String(width) }).check();
      await assertFits(page, [1280]);
      const [light, dark] = await Promise.all(
        ["light", "dark"].map(async (mode) =>
          await page.locator(`iframe[data-mode=${mode}]`).first().boundingBox()
        ),
      );
      assert(light && dark && light.x >= 0 && light.y === dark.y, JSON.stringify({ light, dark }));
      assert(dark.x > light.x + light.width && dark.x + dark.width <= 1280, JSON.stringify(dark));
      const first = page.frameLocator("iframe >> nth=1");
      // The frame gets its new width only after the page around it has been laid out.
      await first.locator("body").evaluate(`new Promise((resolve) => {
      const look = () => innerWidth === ${width} && resolve();
      addEventListener("resize", look);
      look();
    })`);
      const ground = "getComputedStyle(document.body).backgroundColor";
      assert.equal(await first.locator("body").evaluate(ground), COLORS.dark.paper);
    });
  }
});
