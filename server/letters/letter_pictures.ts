/**
 * The pictures of the brand. They are sent as files in a letter, because a letter loads nothing from the network.
 * @module
 */
import { Buffer } from "node:buffer";
import { type Brand, type InlinePicture, isWordmark, pictureSize } from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import type { PictureFile } from "./letter.ts";

/** The height of the logo in a letter, in CSS pixels. */
const LOGO_HEIGHT = 32;

/** The largest width of the picture in a letter, in CSS pixels: the width of the text. */
const PICTURE_WIDTH = 576;

/**
 * How large a picture file in letters is at most, in bytes. The size is limited because every letter includes the file.
 */
const MAX_PICTURE_BYTES = 100_000;

/** A picture of a letter: how the HTML shows it, and the file that the letter includes. */
export interface LetterPicture<Shown extends InlinePicture> {
  shown: Shown;
  file: PictureFile;
}

/**
 * The pictures of letters. A picture is absent if the brand has none, or if letters cannot include its file; see
 * `canInclude()`.
 */
export interface LetterPictures {
  logo?: LetterPicture<InlinePicture & { isWordmark: boolean }>;
  /**
   * The picture of what the company offers, by language. Only invitations show the picture, because the other letters
   * have no advertising.
   */
  pictureByLang: Partial<Record<Lang, LetterPicture<InlinePicture>>>;
}

/** Finds the pictures of a brand that letters can include: PNG files of at most {@linkcode MAX_PICTURE_BYTES}. */
export function letterPicturesOf(
  brand: Pick<Brand, "logo" | "letterLogo" | "picture">,
): LetterPictures {
  const pictures: LetterPictures = { pictureByLang: {} };
  const logo = brand.letterLogo ?? brand.logo;
  if (logo && canInclude(logo)) {
    const size = pictureSize(logo);
    const shown = {
      contentId: "logo@letter",
      width: Math.round(LOGO_HEIGHT * size.width / size.height),
      height: LOGO_HEIGHT,
      alt: "{{site_name}}",
      isWordmark: isWordmark(size),
    };
    pictures.logo = { shown, file: toPictureFile(shown, logo) };
  }
  for (const [lang, { file, alt }] of Object.entries(brand.picture ?? {})) {
    if (!canInclude(file)) continue;
    const size = pictureSize(file);
    const width = Math.min(size.width, PICTURE_WIDTH);
    const height = Math.round(width * size.height / size.width);
    const shown = { contentId: "picture@letter", width, height, alt };
    // The cast holds, because the keys of `brand.picture` are languages.
    pictures.pictureByLang[lang as Lang] = { shown, file: toPictureFile(shown, file) };
  }
  return pictures;
}

/**
 * Whether the brand's logo for letters, or otherwise the logo for pages, is a file that letters cannot include. False
 * for a brand without a logo.
 */
export function lettersLackLogo({ logo, letterLogo }: Pick<Brand, "logo" | "letterLogo">): boolean {
  const logoOfLetters = letterLogo ?? logo;
  return logoOfLetters !== undefined && !canInclude(logoOfLetters);
}

/** Whether letters can include a file. SVG files are left out, because many mail programs do not show SVG. */
function canInclude({ name, bytes }: { name: string; bytes: Uint8Array }): boolean {
  return name.endsWith(".png") && bytes.byteLength <= MAX_PICTURE_BYTES;
}

function toPictureFile(
  { contentId }: InlinePicture,
  { bytes }: { bytes: Uint8Array },
): PictureFile {
  const [name = ""] = contentId.split("@");
  const base64 = Buffer.from(bytes).toString("base64");
  return { contentId, name: `${name}.png`, contentType: "image/png", base64 };
}
