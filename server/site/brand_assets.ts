/** What a brand changes in every page: style sheets, logo, icon, and the picture of link previews. @module */
import {
  type Brand,
  type ContentFile,
  DEFAULT_COLORS,
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
const SOCIAL_IMAGE = "social.png";

/** The height of a logo, in CSS pixels, and how many times as wide a logo is at least that shows the name itself. */
const LOGO_HEIGHT = 28, WORDMARK_RATIO = 2;

/** Adds the files that a brand makes or names to those of `assets/`, and colours to the console's style sheet. */
export function withBrandAssets(files: ContentFile[], brand: Brand): ContentFile[] {
  const colors: Record<string, string> = {
    [BRAND_STYLE]: styleOf(brand.colors),
    // The console's style sheet has no colours of its own.
    "console.css": styleOf({ ...DEFAULT_COLORS, ...brand.colors }) + printStyle(),
  };
  const hasOwnStyle = files.some(({ name }) => name === BRAND_STYLE);
  const style = { name: BRAND_STYLE, file: BRAND_STYLE, bytes: new Uint8Array() };
  const all = hasOwnStyle || !colors[BRAND_STYLE] ? files : [...files, style];
  const pictures = [brand.logo, brand.socialImage].filter((picture) => picture !== undefined);
  return [
    ...all.map((file) => {
      const text = (colors[file.name] ?? "") + new TextDecoder().decode(file.bytes);
      return file.name in colors ? { ...file, bytes: new TextEncoder().encode(text) } : file;
    }),
    ...pictures.map((picture) => ({ ...picture, name: assetOf(picture) })),
  ];
}

/** Makes what a brand gives every page, of the assets that {@linkcode withBrandAssets} has completed. */
export function createBrandAssets(brand: Brand, assets: Assets) {
  const image = (name: string) => assets.image(ASSETS_PATH + name);
  const logo = brand.logo && image(assetOf(brand.logo));
  const ratio = logo ? logo.width / logo.height : 0;
  // A wide logo is not readable in the square of an icon.
  const isSquare = ratio > 0.8 && ratio < 1.25;
  const icon = logo && isSquare ? logo.src : assets.address("favicon.svg");
  const addressesOf = (names: string[]) => names.filter(assets.has).map(assets.address);
  const [width, height] = [Math.round(LOGO_HEIGHT * ratio), LOGO_HEIGHT];
  return {
    styles: addressesOf(PAGE_STYLES),
    /** Those of a guide. */
    guideStyles: addressesOf(["site.css", "guide.css", BRAND_STYLE]),
    /** Without a logo, the mark of the built-in pages is shown; a wordmark is so wide that it shows the name itself. */
    logo: logo && { src: logo.src, width, height, isWordmark: ratio > WORDMARK_RATIO },
    icon: { href: icon, type: icon.includes(".png?") ? "image/png" : "image/svg+xml" },
    /** The path of the PNG that browsers and phones get where they ask for an icon by a name of their own. */
    iconFile: /^[^?]+\.png/.exec(icon)?.[0] ?? `${ASSETS_PATH}apple-touch-icon.png`,
    socialImage: image(brand.socialImage ? assetOf(brand.socialImage) : SOCIAL_IMAGE),
    colors: { ...DEFAULT_COLORS, ...brand.colors },
  };
}

/** Whether the picture of link previews is another than the built-in one, by what was read of the folders. */
export function hasOwnSocialImage(files: ContentFile[], brand: Brand): boolean {
  const { file } = files.find(({ name }) => name === SOCIAL_IMAGE) ?? {};
  return brand.socialImage !== undefined || file !== `content${ASSETS_PATH}${SOCIAL_IMAGE}`;
}

/** The name of a brand's picture among the assets, where no file of `assets/` can be. */
function assetOf({ name }: ContentFile): string {
  return `brand/${name}`;
}
