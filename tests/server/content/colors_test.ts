import assert from "node:assert/strict";
import { type BrandColors, contrastFaults, contrastOf } from "../../../server/content/colors.ts";
import { DEFAULT_COLORS, MODES, paletteOf, styleOf } from "../../../server/content/colors.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";

const css = await Deno.readTextFile(new URL("assets/site.css", CONTENT_FOLDER));

const consoleCss = await Deno.readTextFile(new URL("assets/console.css", CONTENT_FOLDER));

/** The colours of `site.css`, those of light first. */
const OWN = css.split("@media (prefers-color-scheme: dark)").slice(0, 2).map((part) => {
  const [, root = ""] = /:root \{([^}]*)\}/.exec(part) ?? [];
  return Object.fromEntries(
    Array.from(root.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g), ([, name, color]) => [name, color]),
  );
});

Deno.test("contrastOf() returns the contrasts of known pairs of colours", async (t) => {
  const table: [one: string, other: string, contrast: number][] = [
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    ["#767676", "#ffffff", 4.54],
    ["#777777", "#ffffff", 4.48],
    ["#ffffff", "#0000ff", 8.59],
  ];
  for (const [one, other, contrast] of table) {
    await t.step(`the contrast of ${one} and ${other} is ${contrast}`, () => {
      assert.equal(Math.round(contrastOf(one, other) * 100) / 100, contrast);
      assert.equal(contrastOf(other, one), contrastOf(one, other));
    });
  }
});

Deno.test("contrastFaults() names the pair of colours, the contrast and the correction when text is hard to read", () => {
  const ink = "#000000", paper = "#ffffff", accent = "#767676";
  assert.deepEqual(contrastFaults({ ink, paper, accent }), []);
  assert.deepEqual(contrastFaults({ ink: "#777777", paper, accent: "#ff8800" }), [
    "ink #777777 on paper #ffffff has a contrast of 4.47:1, and text needs 4.5:1 (WCAG 2.2); give a " +
    "darker ink",
    "accent #ff8800 on paper #ffffff has a contrast of 2.39:1, and links, and buttons with text of paper " +
    "on accent, need 4.5:1 (WCAG 2.2); give a darker accent",
  ]);
  assert.match(contrastFaults({ ink: "#555555", paper: ink, accent })[0]!, /give a lighter ink$/);
});

/** The names of the colours that the console's style sheet uses. */
const CONSOLE_COLORS = new Set(
  Array.from(consoleCss.matchAll(/var\(--([a-z-]+)\)/g), ([, name]) => name!)
    .filter((name) => !consoleCss.includes(`--${name}:`)),
);

Deno.test("paletteOf() returns every colour that the console's style sheet uses", async (t) => {
  const palette = paletteOf(DEFAULT_COLORS.light);
  assert.ok(CONSOLE_COLORS.has("accent") && CONSOLE_COLORS.has("warning"));
  for (const name of CONSOLE_COLORS) {
    await t.step(`the colour ${name} is in the palette`, () => {
      assert.ok(name in palette);
    });
  }
  assert.doesNotMatch(consoleCss, /#[0-9a-f]{3,8}\b|rgb|hsl|oklch/);
});

Deno.test("DEFAULT_COLORS equal the colours of site.css, and paletteOf() returns each colour of site.css", async (t) => {
  for (const [index, mode] of MODES.entries()) {
    await t.step(`the mode is ${mode}`, () => {
      const { accent, ink, paper } = OWN[index]!;
      assert.deepEqual(DEFAULT_COLORS[mode], { accent, ink, paper });
      const palette = paletteOf(DEFAULT_COLORS[mode]);
      for (const name of Object.keys(OWN[index]!)) assert.ok(name in palette, name);
    });
  }
});

/** Colours from all over the cube; a step of 51 has black, white and the pure colours. */
function* someColors(): Generator<string> {
  const channels = Array.from({ length: 6 }, (_, index) => index * 51);
  for (const red of channels) {
    for (const green of channels) {
      for (const blue of channels) {
        yield `#${[red, green, blue].map((c) => c.toString(16).padStart(2, "0")).join("")}`;
      }
    }
  }
}

Deno.test("paletteOf() keeps text readable on every background for any three colours that contrastFaults() accepts", () => {
  const colors = [...someColors()];
  let accepted = 0;
  for (const [index, paper] of colors.entries()) {
    for (const [other, ink] of colors.entries()) {
      const accent = colors[(index * 7 + other * 13) % colors.length]!;
      const given: BrandColors = { accent, ink, paper };
      if (contrastFaults(given).length > 0) continue;
      accepted++;
      const palette = paletteOf(given);
      const least = (text: string, ground: string) => contrastOf(palette[text]!, palette[ground]!);
      for (const ground of ["paper", "raised", "sunken"]) {
        for (const text of ["ink", "soft", "accent", "accent-strong", "bad", "good", "warning"]) {
          assert.ok(least(text, ground) >= 4.5, `${text} on ${ground} of ${JSON.stringify(given)}`);
        }
        assert.ok(least("edge", ground) >= 3, `edge on ${ground} of ${JSON.stringify(given)}`);
      }
      for (const ground of ["accent", "accent-strong"]) {
        assert.ok(least("on-accent", ground) >= 4.5, `button of ${JSON.stringify(given)}`);
      }
    }
  }
  assert.ok(accepted > 2_000, `${accepted} were accepted`);
});

Deno.test("styleOf() writes no rule for a colour mode that has no brand colours", () => {
  assert.equal(styleOf({}), "");
  const style = styleOf({ light: { accent: "#000080", ink: "#000000", paper: "#ffffff" } });
  assert.match(
    style,
    /^@media screen and \(prefers-color-scheme: light\) \{\n {2}:root \{\n {4}color-scheme: light;/,
  );
  assert.match(style, /\n {4}--accent: #000080;\n/);
  assert.doesNotMatch(style, /prefers-color-scheme: dark/);
  const night = styleOf({ light: { accent: "#88ccff", ink: "#ffffff", paper: "#000000" } });
  assert.match(night, /scheme: light\) \{\n {2}:root \{\n {4}color-scheme: dark;/);
});
