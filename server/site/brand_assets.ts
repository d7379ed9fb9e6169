/**
 * What a brand changes on the pages: the style sheets, the fonts, the logo, the icon, the picture of what the company
 * offers, and the picture of link previews. @module
 */
import { ownMember } from "../../shared/own_member.ts";
import {
  type Brand,
  type BrandColors,
  type BrandPicture,
  type ContentFile,
  DEFAULT_COLORS,
  escapeHtml,
  hasOwnLook,
  type Html,
  isWordmark,
  markup,
  type Mode,
  pageFilesOf,
  type Picture,
  picture,
  printStyle,
  styleOf,
} from "../content/mod.ts";
import { type Assets, ASSETS_PATH } from "./assets.ts";

/** The files and colours of a brand that pages use. */
export interface BrandAssets {
  /** Whether the brand gives the pages a look of their own. Such pages do not show the built-in logo. */
  hasOwnLook: boolean;
  /** The URLs of the style sheets of pages. */
  styles: string[];
  /** The URLs of the style sheets of pages with the layout `guide`. */
  guideStyles: string[];
  /** The URLs of the fonts that pages load early. */
  fonts: string[];
  /** The logo of the brand. A wordmark is a logo so wide that it shows the company's name itself. */
  logo: Picture & { isWordmark: boolean } | undefined;
  icon: { href: string; type: string };
  /**
   * The path of the PNG icon. The site also serves this icon at the fixed paths where browsers and phones look for an
   * icon.
   */
  iconFile: string;
  /** The picture of link previews. */
  socialImage: Picture;
  /** The picture of what the company offers, by language. */
  picture: Record<"en" | "de", Html> | undefined;
  colors: Record<Mode, BrandColors>;
}

/** The style sheets of pages. `brand.css` exists if the brand has colours or a font, or if `assets/` has this file. */
export const PAGE_STYLES = ["site.css", "brand.css"];

/**
 * The style sheet of the brand: first the colours and the font of the brand, and then the rules of the file in
 * `assets/`.
 */
const BRAND_STYLE = "brand.css";

/** The file of the picture of link previews. The brand can name another file. */
export const SOCIAL_IMAGE = "social.png";

/** The file of the icon of pages. If the logo is nearly square, the logo is the icon instead. */
const ICON = "favicon.svg";

/** The icon for browsers and phones that show no SVG. */
const PNG_ICON = "apple-touch-icon.png";

/** The height of a logo in the header, in CSS pixels. */
const LOGO_HEIGHT = 28;

/**
 * Adds the files of a brand to the assets, and the colours and the font of the brand to the style sheets. Replaces or
 * removes built-in icons that do not fit the brand.
 */
export function withBrandAssets(
  files: ContentFile[],
  brand: Brand,
  siteName: string,
): ContentFile[] {
  // A built-in icon is unfit for a company with its own look, because the icon shows the built-in logo.
  const isUnfit = (name: string) => hasOwnLook(brand) && !isOverlayAsset(files, name);
  const filesWithFitIcons = files.flatMap((file) => {
    if (file.name === PNG_ICON && isUnfit(file.name)) return [];
    if (file.name === ICON && isUnfit(file.name)) {
      return textFile(ICON, initialIcon(siteName, brand));
    }
    return file;
  });
  return [
    ...withBrandStyles(filesWithFitIcons, brand),
    ...pageFilesOf(brand).map((file) => ({ ...file, name: assetName(file) })),
  ];
}

/** Writes the colours and the font of a brand in front of the style sheets. Adds `brand.css` if it is needed. */
function withBrandStyles(files: ContentFile[], brand: Brand): ContentFile[] {
  const font = brand.font ? fontStyle(brand.font) : "";
  /** The rules to write in front of the content of a style sheet, by the name of the style sheet. */
  const rulesInFront: Record<string, string> = {
    [BRAND_STYLE]: styleOf(brand.colors) + font,
    // `console.css` gets the built-in colours as well, because its file has no colours.
    "console.css": styleOf({ ...DEFAULT_COLORS, ...brand.colors }) + printStyle() + font,
  };
  const needsBrandStyle = rulesInFront[BRAND_STYLE] !== "" &&
    !files.some(({ name }) => name === BRAND_STYLE);
  const filesWithStyle = needsBrandStyle ? [...files, textFile(BRAND_STYLE, "")] : files;
  return filesWithStyle.map((file) => {
    const rules = ownMember(rulesInFront, file.name);
    if (rules === undefined) return file;
    const text = rules + new TextDecoder().decode(file.bytes);
    return { ...textFile(file.name, text), label: file.label };
  });
}

/** Makes a file from a text. Messages name the file by its name, because the file is in no folder. */
const textFile = (name: string, text: string): ContentFile => {
  return { name, label: name, bytes: new TextEncoder().encode(text) };
};

/** The style rules for a font. `:root:root` takes precedence over a `:root` in a later style sheet. */
function fontStyle({ family, file }: NonNullable<Brand["font"]>): string {
  return `@font-face {
  font-family: "${family}";
  src: url("${assetName(file)}") format("woff2");
  font-weight: 400 700;
  font-display: optional;
}

:root:root {
  --sans: "${family}", system-ui, sans-serif;
}
`;
}

/** An icon with the first letter of the name, in the brand's colours. */
function initialIcon(siteName: string, { colors }: Brand): string {
  const { accent, paper } = { ...DEFAULT_COLORS, ...colors }.light;
  const letter = escapeHtml([...siteName.toUpperCase()][0] ?? "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<rect width="32" height="32" rx="7" fill="${accent}"/>
<text x="16" y="23" fill="${paper}" font="700 20px system-ui, sans-serif" text-anchor="middle">${letter}</text>
</svg>`;
}

/**
 * Finds the files of a brand among the assets, and makes what pages show of the brand.
 * @param assets the assets that {@linkcode withBrandAssets} has completed
 */
export function createBrandAssets(brand: Brand, assets: Assets): BrandAssets {
  const image = (name: string) => assets.image(ASSETS_PATH + name);
  const logo = brand.logo && image(assetName(brand.logo));
  const ratio = logo ? logo.width / logo.height : 0;
  // Only a nearly square logo becomes the icon, because a wide logo could not be read in a square.
  const isNearlySquare = ratio > 0.8 && ratio < 1.25;
  const iconUrl = logo && isNearlySquare ? logo.src : assets.url(ICON);
  const urlsOf = (names: string[]) => names.filter(assets.has).map(assets.url);
  const darkLogoUrl = brand.logoDark && image(assetName(brand.logoDark)).src;
  const showPicture = ({ file, dark, alt }: BrandPicture): Html => {
    const { src, width, height } = image(assetName(file));
    const img = markup`<img src="${src}" alt="${alt}" width="${width}" height="${height}"
 fetchpriority="high">`;
    return markup`<p>${picture(img, dark && image(assetName(dark)).src)}</p>`;
  };
  return {
    hasOwnLook: hasOwnLook(brand),
    styles: urlsOf(PAGE_STYLES),
    // Only the fonts of the last style sheet with fonts are loaded, because they replace the fonts of earlier sheets.
    fonts: PAGE_STYLES.map(assets.fontsOf).findLast(({ length }) => length > 0) ?? [],
    guideStyles: urlsOf(["site.css", "guide.css", BRAND_STYLE]),
    logo: logo && {
      src: logo.src,
      dark: darkLogoUrl,
      width: Math.round(LOGO_HEIGHT * ratio),
      height: LOGO_HEIGHT,
      isWordmark: isWordmark(logo),
    },
    icon: { href: iconUrl, type: iconUrl.includes(".png?") ? "image/png" : "image/svg+xml" },
    iconFile: /^[^?]+\.png/.exec(iconUrl)?.[0] ?? ASSETS_PATH + PNG_ICON,
    picture: brand.picture && {
      en: showPicture(brand.picture.en),
      de: showPicture(brand.picture.de),
    },
    socialImage: image(brand.socialImage ? assetName(brand.socialImage) : SOCIAL_IMAGE),
    colors: { ...DEFAULT_COLORS, ...brand.colors },
  };
}

/**
 * Whether the overlay has a file of this name in `assets/`.
 * @param files all assets, before {@linkcode withBrandAssets} has changed them
 */
export function isOverlayAsset(files: ContentFile[], name: string): boolean {
  return files.some((file) => file.name === name && file.label !== `content${ASSETS_PATH}${name}`);
}

/**
 * The name that a file of the brand has among the assets. A file of `assets/` cannot have this name, because `assets/`
 * has no folders.
 */
const assetName = ({ name }: ContentFile): string => `brand/${name}`;
