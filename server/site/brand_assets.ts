/** What a brand changes in every page: style sheets, logo, icon, and the picture of link previews. @module */
import { ownMember } from "../../shared/own_member.ts";
import {
  type Brand,
  type ContentFile,
  DEFAULT_COLORS,
  escapeHtml,
  filesOf,
  hasLook,
  printStyle,
  styleOf,
} from "../content/mod.ts";
import { type Assets, ASSETS_PATH } from "./assets.ts";

export type BrandAssets = ReturnType<typeof createBrandAssets>;

/** The style sheets of every page, where they are there. */
export const PAGE_STYLES = ["site.css", "brand.css"];

/** The style sheet of the brand: its colours, and after them the file of this name in `assets/`. */
const BRAND_STYLE = "brand.css";

/** The picture of link previews where a brand names none. */
export const SOCIAL_IMAGE = "social.png";

/** The icons where a logo is none. */
const ICON = "favicon.svg", PNG_ICON = "apple-touch-icon.png";

/** The height of a logo, in CSS pixels, and how many times as wide a logo is at least that shows the name itself. */
const LOGO_HEIGHT = 28, WORDMARK_RATIO = 2;

/** Adds the files that a brand makes or names to those of `assets/`, and colours and font to the style sheets. */
export function withBrandAssets(files: ContentFile[], brand: Brand, siteName: string) {
  const font = brand.font ? fontStyle(brand.font) : "";
  const before: Record<string, string> = {
    [BRAND_STYLE]: styleOf(brand.colors) + font,
    // The console's style sheet has no colours of its own.
    "console.css": styleOf({ ...DEFAULT_COLORS, ...brand.colors }) + printStyle() + font,
  };
  const made = (name: string, text: string): ContentFile => {
    return { name, file: name, bytes: new TextEncoder().encode(text) };
  };
  const isMissing = !files.some(({ name }) => name === BRAND_STYLE) && before[BRAND_STYLE];
  const all = isMissing ? [...files, made(BRAND_STYLE, "")] : files;
  const isOurs = (name: string) => hasLook(brand) && !hasOwn(files, name);
  return [
    ...all.flatMap((file) => {
      const { name } = file;
      // The sun stands for nobody else.
      if (name === PNG_ICON && isOurs(name)) return [];
      if (name === ICON && isOurs(name)) return made(name, initialIcon(siteName, brand));
      const ours = ownMember(before, name);
      if (ours === undefined) return file;
      const text = ours + new TextDecoder().decode(file.bytes);
      return { ...made(name, text), file: file.file };
    }),
    ...filesOf(brand).map((file) => ({ ...file, name: assetOf(file) })),
  ];
}

/** Two `:root` weigh more than the one of the style sheet that these rules may stand before. */
function fontStyle({ family, file }: NonNullable<Brand["font"]>): string {
  return `@font-face {
  font-family: "${family}";
  src: url("${assetOf(file)}") format("woff2");
  font-weight: 400 700;
  font-display: optional;
}

:root:root {
  --sans: "${family}", system-ui, sans-serif;
}
`;
}

/** The first letter of the name, in the brand's colours. */
function initialIcon(siteName: string, { colors }: Brand): string {
  const { accent, paper } = { ...DEFAULT_COLORS, ...colors }.light;
  const letter = escapeHtml([...siteName.toUpperCase()][0] ?? "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<rect width="32" height="32" rx="7" fill="${accent}"/>
<text x="16" y="23" fill="${paper}" font="700 20px system-ui, sans-serif" text-anchor="middle">${letter}</text>
</svg>`;
}

/** Makes what a brand gives every page, of the assets that {@linkcode withBrandAssets} has completed. */
export function createBrandAssets(brand: Brand, assets: Assets) {
  const image = (name: string) => assets.image(ASSETS_PATH + name);
  const logo = brand.logo && image(assetOf(brand.logo));
  const ratio = logo ? logo.width / logo.height : 0;
  // A wide logo is not readable in the square of an icon.
  const isSquare = ratio > 0.8 && ratio < 1.25;
  const icon = logo && isSquare ? logo.src : assets.address(ICON);
  const addressesOf = (names: string[]) => names.filter(assets.has).map(assets.address);
  const [width, height] = [Math.round(LOGO_HEIGHT * ratio), LOGO_HEIGHT];
  const dark = brand.logoDark && image(assetOf(brand.logoDark)).src;
  return {
    hasLook: hasLook(brand),
    styles: addressesOf(PAGE_STYLES),
    /** What pages load early: the fonts of the last style sheet that has some. */
    fonts: PAGE_STYLES.map(assets.fontsOf).findLast(({ length }) => length > 0) ?? [],
    /** Those of a guide. */
    guideStyles: addressesOf(["site.css", "guide.css", BRAND_STYLE]),
    /** Without a logo, the mark of the built-in pages is shown; a wordmark is so wide that it shows the name itself. */
    logo: logo && { src: logo.src, dark, width, height, isWordmark: ratio > WORDMARK_RATIO },
    icon: { href: icon, type: icon.includes(".png?") ? "image/png" : "image/svg+xml" },
    /** The path of the PNG that browsers and phones get where they ask for an icon by a name of their own. */
    iconFile: /^[^?]+\.png/.exec(icon)?.[0] ?? ASSETS_PATH + PNG_ICON,
    socialImage: image(brand.socialImage ? assetOf(brand.socialImage) : SOCIAL_IMAGE),
    colors: { ...DEFAULT_COLORS, ...brand.colors },
  };
}

/** Whether a file of `assets/` is there that is not the built-in one, by what was read of the folders. */
export function hasOwn(files: ContentFile[], name: string): boolean {
  return files.some((each) => each.name === name && each.file !== `content${ASSETS_PATH}${name}`);
}

/** The name of a brand's file among the assets, where no file of `assets/` can be. */
const assetOf = ({ name }: ContentFile): string => `brand/${name}`;
