/** Reads `brand.yaml`: the company's name, postal address, logo, font, picture for link previews, and colours. @module */
import { z } from "zod";
import { parseSiteName } from "../config/mod.ts";
import { type BrandColors, contrastFaults, DEFAULT_COLORS } from "./colors.ts";
import {
  checkValue,
  type ContentEntry,
  type ContentFile,
  readFile,
  readYaml,
  textSchema,
} from "./files.ts";

export const BRAND_FILE = "brand.yaml";

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

const fileSchema = (...extensions: string[]) =>
  z.string().regex(
    new RegExp(`^[\\w-][\\w.-]*\\.(?:${extensions.join("|")})$`),
    `must be the name of a .${
      extensions.join(" or .")
    } file beside ${BRAND_FILE}, of letters, digits, ., - and _`,
  );

const optionsSchema = z.record(
  z.string().regex(/^[a-z0-9_-]{1,40}$/),
  z.strictObject({ en: textSchema, de: textSchema }),
  {
    error: ({ code }) =>
      code === "invalid_key" ? "must be up to 40 of a-z, 0-9, - and _" : undefined,
  },
).refine((options) => Object.keys(options).length <= 64, "must have at most 64 answers")
  .exactOptional();

const brandSchema = z.strictObject({
  name: textSchema.superRefine((name, context) => {
    try {
      parseSiteName(name);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  }).exactOptional(),
  /** The lines of the postal address that stands below letters. */
  address: textSchema.max(500, "must have at most 500 characters")
    .transform((address) => address.split("\n").map((line) => line.trim()).filter(Boolean))
    .exactOptional(),
  logo: fileSchema("svg", "png").optional(),
  logo_dark: fileSchema("svg", "png").optional(),
  font: z.strictObject({
    // It stands in style sheets.
    family: z.string().regex(/^[\w -]+$/, "must be of letters, digits, spaces, - and _"),
    file: fileSchema("woff2"),
  }).optional(),
  social_image: fileSchema("png").optional(),
  /** What people can answer on their own page: the slugs of each question, with their names in each language. */
  answers: z.strictObject({ role: optionsSchema, building: optionsSchema }).exactOptional(),
  /** `false` takes the card for developers off the home page. */
  developers: z.boolean("must be true or false").exactOptional(),
  /** The modes of which a brand gives a colour at least, completed by the built-in ones. */
  colors: z.strictObject({
    light: colorsSchema(DEFAULT_COLORS.light),
    dark: colorsSchema(DEFAULT_COLORS.dark),
  }).default({}),
}).refine(({ logo, logo_dark }) => logo || !logo_dark, {
  path: ["logo_dark"],
  error: "takes the place of a logo on dark pages; give logo, too",
});

interface Files {
  logo?: ContentFile;
  /** The logo on dark paper, of the same size. */
  logoDark?: ContentFile;
  /** A variable font (WOFF 2), by the name that style sheets call it. */
  font?: { family: string; file: ContentFile };
  socialImage?: ContentFile;
}

/** A company's brand, as far as it differs from the built-in one, with the files that it names. */
export type Brand =
  & Pick<z.infer<typeof brandSchema>, "name" | "address" | "answers" | "developers" | "colors">
  & Files;

/** The files that a brand names. */
export function filesOf({ logo, logoDark, font, socialImage }: Brand): ContentFile[] {
  return [logo, logoDark, font?.file, socialImage].filter((file) => file !== undefined);
}

/** Whether the pages have a company's look, in which the built-in mark has no place. */
export function hasLook({ name, logo, font, colors }: Brand): boolean {
  return Boolean(name ?? logo ?? font) || Object.keys(colors).length > 0;
}

/** Reads the brand from among the entries of a folder. @throws an Error that names the file and all its faults */
export async function readBrand(beside: Map<string, ContentEntry>): Promise<Brand> {
  const entry = beside.get(BRAND_FILE);
  if (!entry) return { colors: {} };
  const { label: file } = entry;
  const { logo, logo_dark, font, social_image, ...others } = checkValue(
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
    ...(logo && { logo: await read("logo", logo) }),
    ...(logo_dark && { logoDark: await read("logo_dark", logo_dark) }),
    ...(font && { font: { ...font, file: await read("font.file", font.file) } }),
    ...(social_image && { socialImage: await read("social_image", social_image) }),
    ...others,
  };
}
