/**
 * The pictures of the brand in letters: which of them letters include, and in which size. Pictures are sent as files in
 * a letter, because a letter loads nothing from the network. @module
 */
import { Buffer } from "node:buffer";
import {
  type Brand,
  type ContentFile,
  type InlinePicture,
  isWordmark,
  pictureSize,
} from "../content/mod.ts";
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

/** A picture of a letter. */
export interface LetterPicture {
  /** How the HTML of the letter shows the picture. */
  inlinePicture: InlinePicture;
  /** The file that the letter includes. */
  file: PictureFile;
}

/** The logo of a letter. */
interface LetterLogo extends LetterPicture {
  inlinePicture: InlinePicture & { isWordmark: boolean };
}

/**
 * The pictures of letters. A picture is absent if the brand has none, or if letters cannot include its file; see
 * `canInclude()`.
 */
export interface LetterPictures {
  logo?: LetterLogo;
  /**
   * The picture of what the company offers, by language. Only invitations show the picture, because the other letters
   * have no advertising.
   */
  pictureByLang: Partial<Record<Lang, LetterPicture>>;
}

/** Finds the pictures of a brand that letters can include: PNG files of at most {@linkcode MAX_PICTURE_BYTES}. */
export function letterPicturesOf(
  brand: Pick<Brand, "logo" | "letterLogo" | "picture">,
): LetterPictures {
  const pictures: LetterPictures = { pictureByLang: {} };
  const logoFile = logoForLetters(brand);
  if (logoFile && canInclude(logoFile)) pictures.logo = toLetterLogo(logoFile);
  for (const [lang, { file, alt }] of Object.entries(brand.picture ?? {})) {
    if (!canInclude(file)) continue;
    // The cast holds, because the keys of `brand.picture` are languages.
    pictures.pictureByLang[lang as Lang] = toLetterPicture(file, alt);
  }
  return pictures;
}

function toLetterLogo(logoFile: ContentFile): LetterLogo {
  const size = pictureSize(logoFile);
  const inlinePicture = {
    contentId: "logo@letter",
    width: Math.round(LOGO_HEIGHT * size.width / size.height),
    height: LOGO_HEIGHT,
    alt: "{{site_name}}",
    isWordmark: isWordmark(size),
  };
  return { inlinePicture, file: toPictureFile(inlinePicture, logoFile) };
}

function toLetterPicture(pictureFile: ContentFile, alt: string): LetterPicture {
  const size = pictureSize(pictureFile);
  const width = Math.min(size.width, PICTURE_WIDTH);
  const height = Math.round(width * size.height / size.width);
  const inlinePicture = { contentId: "picture@letter", width, height, alt };
  return { inlinePicture, file: toPictureFile(inlinePicture, pictureFile) };
}

/** Whether the brand has a logo that letters cannot include. */
export function lettersLackLogo(brand: Pick<Brand, "logo" | "letterLogo">): boolean {
  const logoFile = logoForLetters(brand);
  return logoFile !== undefined && !canInclude(logoFile);
}

/** Gives the brand's logo for letters, or otherwise the logo for pages. */
const logoForLetters = ({ logo, letterLogo }: Pick<Brand, "logo" | "letterLogo">) =>
  letterLogo ?? logo;

/** Whether letters can include a file. SVG files are left out, because many mail programs do not show SVG. */
function canInclude({ name, bytes }: ContentFile): boolean {
  return name.endsWith(".png") && bytes.byteLength <= MAX_PICTURE_BYTES;
}

function toPictureFile({ contentId }: InlinePicture, { bytes }: ContentFile): PictureFile {
  const [name = ""] = contentId.split("@");
  const base64 = Buffer.from(bytes).toString("base64");
  return { contentId, name: `${name}.png`, contentType: "image/png", base64 };
}
