import assert from "node:assert/strict";
import { DEFAULT_COLORS } from "../../../server/content/colors.ts";
import { pageFilesOf, readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { LOGO, writeContent } from "../../support/brand.ts";

const social = await Deno.readFile(new URL("assets/social.png", CONTENT_FOLDER));

/** Reads the brand of some files. */
async function brandOf(files: Record<string, string | Uint8Array>) {
  await using own = await writeContent(files);
  return (await readContent(CONTENT_FOLDER, own.path)).brand;
}

Deno.test("readBrand() reads name, pictures and colours from brand.yaml, and returns default colours for missing colours", async () => {
  const { name, address, logo, socialImage, colors } = await brandOf({
    "brand.yaml": `name: " Häuser & Söhne "
address: |
  Häuser & Söhne
   Sonnenweg 1, 10115 Berlin

logo: logo-1.svg
social_image: preview.png
colors:
  light: { accent: "#05a", ink: "#112233", paper: "#FFF" }
  dark: { accent: "#9cf" }
`,
    "logo-1.svg": LOGO,
    "preview.png": social,
  });
  assert.equal(name, "Häuser & Söhne");
  assert.deepEqual(address, ["Häuser & Söhne", "Sonnenweg 1, 10115 Berlin"]);
  assert.equal(new TextDecoder().decode(logo?.bytes), LOGO);
  assert.deepEqual(socialImage?.bytes, social);
  assert.deepEqual(colors, {
    light: { accent: "#0055aa", ink: "#112233", paper: "#ffffff" },
    dark: { accent: "#99ccff", ink: "#e9ece8", paper: "#10191c" },
  });
});

Deno.test("readBrand() accepts the example of content/README.md", async () => {
  const text = await Deno.readTextFile(new URL("README.md", CONTENT_FOLDER));
  const [, yaml = ""] = /^```yaml\n([^]*?)^```$/m.exec(text) ?? [];
  const brand = await brandOf({
    "brand.yaml": yaml,
    "logo.svg": LOGO,
    "logo-dark.svg": LOGO,
    "analytical-sans.woff2": new Uint8Array(),
    "preview.png": social,
    "plan.png": social,
    "plan-dark.png": social,
  });
  assert.equal(brand.tagline?.en, "Plans that everybody reads.");
  assert.equal(brand.headline?.de, "Ein Plan für die ganze Baustelle");
  assert.match(brand.promise?.en ?? "", /^Every change reaches everyone/);
  assert.equal(brand.picture?.de.alt, "Ein Plan mit einer markierten Wand");
  assert.equal(brand.picture?.en.dark?.name, "plan-dark.png");
  assert.deepEqual(pageFilesOf(brand).map(({ name }) => name), [
    ...["logo.svg", "logo-dark.svg", "analytical-sans.woff2", "preview.png"],
    ...["plan.png", "plan-dark.png"],
  ]);
  assert.equal(brand.logoDark?.name, "logo-dark.svg");
  assert.equal(brand.font?.file.name, "analytical-sans.woff2");
  assert.equal(brand.name, "Analytical Engines");
  assert.deepEqual(brand.colors, DEFAULT_COLORS);
});

Deno.test("readBrand() reads the logo for letters from a file beside brand.yaml", async () => {
  const { logo, letterLogo } = await brandOf({
    "brand.yaml": "logo: logo.svg\nletter_logo: letter-logo.png\n",
    "logo.svg": LOGO,
    "letter-logo.png": social,
  });
  assert.equal(logo?.name, "logo.svg");
  assert.equal(letterLogo?.name, "letter-logo.png");
  assert.deepEqual(letterLogo?.bytes, social);
});

Deno.test("readBrand() returns only the values in brand.yaml, and no values when brand.yaml is missing or empty", async (t) => {
  assert.deepEqual(await brandOf({ "assets/note.css": "" }), { colors: {} });
  assert.deepEqual(await brandOf({ "brand.yaml": "name: Acme\n" }), { name: "Acme", colors: {} });
  for (const yaml of ["colors: {}\n", "", "# name: Acme\n\n"]) {
    await t.step(`brand.yaml is ${JSON.stringify(yaml)}`, async () => {
      assert.deepEqual(await brandOf({ "brand.yaml": yaml }), { colors: {} });
    });
  }
});

Deno.test("readBrand() names the file, the key and the fault when brand.yaml has a fault", async (t) => {
  const table: [yaml: string, fault: RegExp][] = [
    ["name: [", /\/brand\.yaml is not valid YAML: /],
    ["- name", /\/brand\.yaml: must be a group of keys, not \["name"\]$/],
    [
      "nmae: Acme",
      /\/brand\.yaml: there is no key 'nmae' \(the keys are name, tagline, headline, promise, picture, address, logo, logo_dark, letter_logo, font, social_image, answers, developers, colors\)$/,
    ],
    [
      "typeface: Arial\nLogos: a.svg",
      /: there is no key 'typeface', and none 'Logos' \(/,
    ],
    ["name: ''", /\/brand\.yaml: name: must not be empty$/],
    ["name:", /\/brand\.yaml: name: must be a text, and is empty$/],
    ["name: 42", /\/brand\.yaml: name: must be a text, not 42$/],
    [`name: ${"x".repeat(101)}`, /\/brand\.yaml: name: is longer than 100 characters/],
    ["tagline: Hello", /\/brand\.yaml: tagline: must be a group of keys, not "Hello"$/],
    ["headline: { en: Hello }", /\/brand\.yaml: headline\.de: is missing$/],
    [
      `tagline: { en: "a\\nb", de: ${"x".repeat(81)} }`,
      /: tagline\.en: must be one line; tagline\.de: must have at most 80 characters$/,
    ],
    [
      "picture: { en: { file: a.png }, de: { file: b.jpg, alt: B } }",
      /: picture\.en\.alt: is missing; picture\.de\.file: must be the name of a \.svg or \.png file/,
    ],
    [
      "picture: { en: { file: a.png, alt: A }, de: { file: a.png, alt: A } }",
      /: picture\.en\.file: there is no 'a\.png' beside this file$/,
    ],
    ["developers: no", /\/brand\.yaml: developers: must be true or false$/],
    ["logo: ../logo.svg", /\/brand\.yaml: logo: must be the name of a \.svg or \.png file beside/],
    ["logo: logo.gif", /\/brand\.yaml: logo: must be the name/],
    ["social_image: social.svg", /\/brand\.yaml: social_image: must be the name of a \.png file/],
    ["font: Arial", /\/brand\.yaml: font: must be a group of keys, not "Arial"$/],
    [
      "font: { family: Ada, file: a.ttf }",
      /: font\.file: must be the name of a \.woff2 file beside/,
    ],
    [
      'font: { family: "\\"}", file: a.woff2 }',
      /: font\.family: must be of letters, digits, spaces/,
    ],
    [
      "font: { family: Ada, file: a.woff2 }",
      /: font\.file: there is no 'a\.woff2' beside this file$/,
    ],
    ["logo_dark: a.svg", /: logo_dark: takes the place of a logo on dark pages; give logo, too$/],
    ["logo: logo.svg", /\/brand\.yaml: logo: there is no 'logo\.svg' beside this file$/],
    ["colors: { light: { ink: #123456 } }", /\/brand\.yaml is not valid YAML/],
    [
      "colors:\n  light:\n    ink: #123456",
      /colors\.light\.ink: must be a colour in quotes, such as/,
    ],
    [
      'colors: { light: { ink: "navy" } }',
      /: colors\.light\.ink: must be a colour such as "#14545c"$/,
    ],
    [
      'colors: { night: { ink: "#000" } }',
      /colors: there is no key 'night' \(the keys are light, dark\)$/,
    ],
    [
      'colors: { dark: { accnt: "#000" } }',
      /colors\.dark: there is no key 'accnt' \(the keys are accent, ink, paper\)$/,
    ],
    [
      'colors: { light: { ink: "#888", paper: "#fff" }, dark: { accent: "#333" } }',
      /: colors\.light: ink #888888 on paper #ffffff has a contrast of 3\.54:1, .+ darker ink; colors\.dark: accent #333333 on paper #10191c .+ lighter accent$/,
    ],
    [
      "answers: { role: { Founder: { en: Founder } } }",
      /answers\.role\.Founder: must be up to 40 of a-z, 0-9, - and _/,
    ],
    ["answers: { role: { founder: { en: Founder } } }", /answers\.role\.founder\.de/],
  ];
  for (const [yaml, message] of table) {
    await t.step(`brand.yaml is ${JSON.stringify(yaml)}`, async () => {
      await assert.rejects(brandOf({ "brand.yaml": `${yaml}\n` }), { message });
    });
  }
});
