/** Reads the size of PNG and SVG pictures, and tells by the size whether a logo is a wordmark. @module */
import type { ContentFile } from "./files.ts";

/** The first four bytes of a PNG. */
const PNG_SIGNATURE = 0x89504e47;

// The positions of the width and the height in a PNG, and the end of the height, in bytes.
const PNG_WIDTH_POSITION = 16;
const PNG_HEIGHT_POSITION = 20;
const PNG_HEIGHT_END = 24;

/** The size of a picture in pixels. */
interface PictureSize {
  width: number;
  height: number;
}

/**
 * Returns the size of a picture.
 * @throws an Error that names the file if the picture has no size, or if a `.png` file is no PNG
 */
export function pictureSize({ label, bytes }: ContentFile): PictureSize {
  if (label.endsWith(".png")) {
    const size = pngSize(bytes);
    if (size) return size;
    throw new Error(
      `${label} is not a PNG, although its name ends in .png; save it as a PNG, or rename it`,
    );
  }
  const size = label.endsWith(".svg") && svgSize(new TextDecoder().decode(bytes));
  if (size) return size;
  throw new Error(`${label} has no size; use a PNG, or an SVG with width and height, or a viewBox`);
}

/** Reads the size from the header of a PNG; `undefined` for other bytes. */
function pngSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isPng = view.byteLength >= PNG_HEIGHT_END && view.getUint32(0) === PNG_SIGNATURE;
  if (!isPng) return undefined;
  return { width: view.getUint32(PNG_WIDTH_POSITION), height: view.getUint32(PNG_HEIGHT_POSITION) };
}

/** Reads the size of an SVG from `width` and `height`, or from `viewBox`; `undefined` without a size. */
function svgSize(svg: string): PictureSize | undefined {
  const [tag = ""] = /<svg[^>]*>/.exec(svg) ?? [];
  const viewBox = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const lengthOf = (attribute: "width" | "height", viewBoxLength: string | undefined) => {
    const [, length = viewBoxLength] =
      new RegExp(`\\s${attribute}=["']([\\d.]+)(?:px)?["']`).exec(tag) ?? [];
    return Math.round(Number(length));
  };
  const width = lengthOf("width", viewBox?.[1]);
  const height = lengthOf("height", viewBox?.[2]);
  return width && height ? { width, height } : undefined;
}

/** A logo whose width is more than this multiple of its height is a wordmark. */
const WORDMARK_RATIO = 2;

/** Whether a logo is so wide that it probably shows the company's name, so that no name is needed beside it. */
export function isWordmark({ width, height }: PictureSize): boolean {
  return width / height > WORDMARK_RATIO;
}
