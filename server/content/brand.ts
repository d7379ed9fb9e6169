/**
 * Reads `brand.yaml`, which lies in the folder over the built-in content: the company's name, logo, picture for
 * link previews, and colours.
 *
 * @module
 */
import { z } from "zod";
import { parseSiteName } from "../config/mod.ts";
import { type BrandColors, contrastFaults, DEFAULT_COLORS, type Mode, MODES } from "./colors.ts";
import {
  checkValue,
  type ContentEntry,
  parseYaml,
  readBytesOf,
  readTextOf,
  uppermost,
} from "./files.ts";

/** The name of the file. */
export const BRAND_FILE = "brand.yaml";

/** A picture that a brand names. */
export interface BrandPicture {
  /** The file name. */
  name: string;
  /** The path of the file, for messages. */
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A company's brand, as far as it differs from the built-in one. */
export interface Brand {
  name?: string;
  /** An SVG or a PNG. */
  logo?: BrandPicture;
  /** A PNG. */
  socialImage?: BrandPicture;
  /** The modes of which a brand gives a colour at least, completed by the built-in ones. */
  colors: Partial<Record<Mode, BrandColors>>;
}

const colorSchema = z
  .string('must be a colour in quotes, such as "#14545c"; without quotes, # begins a comment')
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a colour such as "#14545c"')
  .transform((color) => {
    const digits = color.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
  });

const colorsSchema = z.strictObject({
  accent: colorSchema.exactOptional(),
  ink: colorSchema.exactOptional(),
  paper: colorSchema.exactOptional(),
});

const brandSchema = z.strictObject({
  name: z.string().trim().min(1).superRefine((name, context) => {
    try {
      parseSiteName(name);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  }).exactOptional(),
  logo: pictureSchema("svg", "png").exactOptional(),
  social_image: pictureSchema("png").exactOptional(),
  colors: z.strictObject({
    light: colorsSchema.exactOptional(),
    dark: colorsSchema.exactOptional(),
  })
    .exactOptional(),
});

function pictureSchema(...extensions: string[]) {
  const allowed = extensions.map((extension) => `.${extension}`).join(" or ");
  return z.string().regex(
    new RegExp(`^[\\w-][\\w.-]*\\.(?:${extensions.join("|")})$`),
    `must be the name of a ${allowed} file beside ${BRAND_FILE}, of letters, digits, ., - and _`,
  );
}

/**
 * Reads the brand.
 *
 * @param beside what lies beside the file, and the file itself where there is one
 * @throws an Error that names the file and all faults of its kind
 */
export async function readBrand(beside: Map<string, ContentEntry[]>): Promise<Brand> {
  const entries = beside.get(BRAND_FILE);
  if (!entries) return { colors: {} };
  const { file, text } = await readTextOf(entries);
  const { name, logo, social_image, colors = {} } = checkValue(
    file,
    parseYaml(file, text),
    brandSchema,
  );
  const read = async (member: string, name: string): Promise<BrandPicture> => {
    const found = beside.get(name);
    if (!found) throw new Error(`${file}: ${member}: there is no '${name}' beside this file`);
    return { name, file: uppermost(found).label, bytes: await readBytesOf(found) };
  };
  return {
    ...(name && { name }),
    ...(logo && { logo: await read("logo", logo) }),
    ...(social_image && { socialImage: await read("social_image", social_image) }),
    colors: completeColors(file, colors),
  };
}

function completeColors(
  file: string,
  given: Partial<Record<Mode, Partial<BrandColors>>>,
): Brand["colors"] {
  const colors: Brand["colors"] = {};
  for (const mode of MODES) {
    if (given[mode]) colors[mode] = { ...DEFAULT_COLORS[mode], ...given[mode] };
  }
  const faults = Object.entries(colors).flatMap(([mode, pairs]) =>
    contrastFaults(pairs).map((fault) => `colors.${mode}: ${fault}`)
  );
  if (faults.length > 0) throw new Error(`${file}: ${faults.join("; ")}`);
  return colors;
}
