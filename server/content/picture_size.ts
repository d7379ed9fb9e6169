/** Reads the size of PNG and SVG pictures, and tells by the size whether a logo is a wordmark. @module */
import type { ContentFile } from "./files.ts";

/** The first four bytes of a PNG. */
const PNG_SIGNATURE = 0x89504e47;

/**
 * Returns the size of a picture in pixels. A PNG has the size in its header, and an SVG in `width` and `height`, or in
 * `viewBox`. @throws an Error that names the file if the picture has no size, or if a `.png` file is no PNG
 */
export function pictureSize({ label, bytes }: ContentFile): { width: number; height: number } {
  if (label.endsWith(".png")) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.byteLength < 24 || view.getUint32(0) !== PNG_SIGNATURE) {
      throw new Error(
        `${label} is not a PNG, although its name ends in .png; save it as a PNG, or rename it`,
      );
    }
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  const text = label.endsWith(".svg") ? new TextDecoder().decode(bytes) : "";
  const [tag = ""] = /<svg[^>]*>/.exec(text) ?? [];
  const box = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const [width, height] = ["width", "height"].map((name, index) => {
    const attribute = new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1];
    return Math.round(Number(attribute ?? box?.[index + 1]));
  });
  if (width && height) return { width, height };
  throw new Error(`${label} has no size; use a PNG, or an SVG with width and height, or a viewBox`);
}

/** A logo whose width is more than this multiple of its height is a wordmark. */
const WORDMARK_RATIO = 2;

/** Whether a logo is so wide that it probably shows the company's name, so that no name is needed beside it. */
export function isWordmark({ width, height }: { width: number; height: number }): boolean {
  return width / height > WORDMARK_RATIO;
}
