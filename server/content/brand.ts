/** Reads `brand.yaml`: the company's name, postal address, logo, picture for link previews, and colours. @module */
import { z } from "zod";
import { parseSiteName } from "../config/mod.ts";
import { type BrandColors, contrastFaults, DEFAULT_COLORS, type Mode } from "./colors.ts";
import {
  checkValue,
  type ContentEntry,
  type ContentFile,
  readFile,
  readYaml,
  textSchema,
} from "./files.ts";

export const BRAND_FILE = "brand.yaml";

/** A company's brand, as far as it differs from the built-in one. */
export interface Brand {
  name?: string;
  /** An SVG or a PNG. */
  logo?: ContentFile;
  /** A PNG. */
  socialImage?: ContentFile;
  /** The lines of the postal address that stands below letters. */
  address?: string[];
  /** `false` takes the card for developers off the home page. */
  developers?: boolean;
  /** The modes of which a brand gives a colour at least, completed by the built-in ones. */
  colors: Partial<Record<Mode, BrandColors>>;
}

const colorSchema = z
  .string('must be a colour in quotes, such as "#14545c"; without quotes, # begins a comment')
  // The contrast of another text cannot be measured.
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, {
    error: 'must be a colour such as "#14545c"',
    abort: true,
  })
  .transform((color) => {
    const digits = color.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
  });

const colorsSchema = ({ accent, ink, paper }: BrandColors) =>
  z.strictObject({
    accent: colorSchema.default(accent),
    ink: colorSchema.default(ink),
    paper: colorSchema.default(paper),
  }).superRefine((colors, context) =>
    contrastFaults(colors).forEach((fault) => context.addIssue(fault))
  )
    .exactOptional();

const pictureSchema = (...extensions: string[]) =>
  z.string().regex(
    new RegExp(`^[\\w-][\\w.-]*\\.(?:${extensions.join("|")})$`),
    `must be the name of a .${
      extensions.join(" or .")
    } file beside ${BRAND_FILE}, of letters, digits, ., - and _`,
  ).optional();

const brandSchema = z.strictObject({
  name: textSchema.superRefine((name, context) => {
    try {
      parseSiteName(name);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  }).optional(),
  address: textSchema.max(500, "must have at most 500 characters")
    .transform((address) => address.split("\n").map((line) => line.trim()).filter(Boolean))
    .exactOptional(),
  logo: pictureSchema("svg", "png"),
  social_image: pictureSchema("png"),
  developers: z.boolean("must be true or false").exactOptional(),
  colors: z.strictObject({
    light: colorsSchema(DEFAULT_COLORS.light),
    dark: colorsSchema(DEFAULT_COLORS.dark),
  }).default({}),
});

/** Reads the brand from among the entries of a folder. @throws an Error that names the file and all its faults */
export async function readBrand(beside: Map<string, ContentEntry>): Promise<Brand> {
  const entry = beside.get(BRAND_FILE);
  if (!entry) return { colors: {} };
  const { label: file } = entry;
  const { name, logo, social_image, ...others } = checkValue(
    file,
    await readYaml(entry),
    brandSchema,
  );
  const read = (member: string, name: string): Promise<ContentFile> => {
    const found = beside.get(name);
    if (!found) throw new Error(`${file}: ${member}: there is no '${name}' beside this file`);
    return readFile(found);
  };
  return {
    ...(name && { name }),
    ...(logo && { logo: await read("logo", logo) }),
    ...(social_image && { socialImage: await read("social_image", social_image) }),
    ...others,
  };
}
