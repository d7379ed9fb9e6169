/** Reads `brand.yaml`: the company's name, words, pictures, font and colours. @module */
import { z } from "zod";
import { SLUG } from "../../shared/name_patterns.ts";
import { MAX_SLUGS } from "../../shared/person_schema.ts";
import { parseSiteName } from "../config/mod.ts";
import { type BrandColors, contrastFaults, DEFAULT_COLORS } from "./colors.ts";
import {
  checkValue,
  type ContentEntry,
  type ContentFile,
  readContentFile,
  readYaml,
  textSchema,
} from "./files.ts";

/** The file name of the brand. */
export const BRAND_FILE = "brand.yaml";

const colorSchema = z
  .string('must be a colour in quotes, such as "#14545c"; without quotes, # begins a comment')
  // Other notations, such as `teal`, are refused, because this program cannot measure their contrast.
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, {
    error: 'must be a colour such as "#14545c"',
    abort: true,
  })
  .transform((color) => {
    const digits = color.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
  });

/** Makes the schema for the brand's colours in one mode. A colour that is left out gets the built-in value. */
const colorsSchema = ({ accent, ink, paper }: BrandColors) =>
  z.strictObject({
    accent: colorSchema.default(accent),
    ink: colorSchema.default(ink),
    paper: colorSchema.default(paper),
  }).superRefine((colors, context) =>
    contrastFaults(colors).forEach((fault) => context.addIssue(fault))
  )
    .exactOptional();

/** Makes the schema for the name of a file in the folder of `brand.yaml`. */
const fileSchema = (...extensions: string[]) =>
  z.string().regex(
    new RegExp(`^[\\w-][\\w.-]*\\.(?:${extensions.join("|")})$`),
    `must be the name of a .${
      extensions.join(" or .")
    } file beside ${BRAND_FILE}, of letters, digits, ., - and _`,
  );

/** Makes the schema for one line of text in each language. @param limit the most characters of a line */
const textsSchema = (limit: number) => {
  const lineSchema = textSchema.regex(/^[^\n]*$/, "must be one line")
    .max(limit, `must have at most ${limit} characters`);
  return z.strictObject({ en: lineSchema, de: lineSchema }).exactOptional();
};

/** A picture of what the company offers, in one language. */
const pictureSchema = z.strictObject({
  file: fileSchema("svg", "png"),
  dark: fileSchema("svg", "png").exactOptional(),
  alt: textSchema.max(200, "must have at most 200 characters"),
});

/** The answers to a question: their slugs, with their names in each language. */
const answersSchema = z.record(
  z.string().regex(SLUG),
  z.strictObject({ en: textSchema, de: textSchema }),
  {
    error: ({ code }) =>
      code === "invalid_key" ? "must be up to 40 of a-z, 0-9, - and _" : undefined,
  },
).refine(
  // The store keeps no more different answers than this number.
  (answers) => Object.keys(answers).length <= MAX_SLUGS,
  `must have at most ${MAX_SLUGS} answers`,
)
  .exactOptional();

const brandSchema = z.strictObject({
  name: textSchema.superRefine((name, context) => {
    try {
      parseSiteName(name);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  }).exactOptional(),
  /** The company's slogan. */
  tagline: textsSchema(80),
  /** The heading of the home page. */
  headline: textsSchema(80),
  /** One line that says what the company offers. */
  promise: textsSchema(200),
  picture: z.strictObject({ en: pictureSchema, de: pictureSchema }).optional(),
  /** The lines of the postal address, which stands below every letter. */
  address: textSchema.max(500, "must have at most 500 characters")
    .transform((address) => address.split("\n").map((line) => line.trim()).filter(Boolean))
    .exactOptional(),
  logo: fileSchema("svg", "png").optional(),
  logo_dark: fileSchema("svg", "png").optional(),
  letter_logo: fileSchema("png").optional(),
  font: z.strictObject({
    // Other characters are refused, because the name becomes part of a style sheet.
    family: z.string().regex(/^[\w -]+$/, "must be of letters, digits, spaces, - and _"),
    file: fileSchema("woff2"),
  }).optional(),
  social_image: fileSchema("png").optional(),
  /** The questions on the self-service page, with their answers. A question without answers is not asked. */
  answers: z.strictObject({ role: answersSchema, building: answersSchema }).exactOptional(),
  /** `false` removes the card for developers from the home page. */
  developers: z.boolean("must be true or false").exactOptional(),
  /** The colours by mode. A mode for which the brand gives no colour is absent. */
  colors: z.strictObject({
    light: colorsSchema(DEFAULT_COLORS.light),
    dark: colorsSchema(DEFAULT_COLORS.dark),
  }).default({}),
}).refine(({ logo, logo_dark }) => logo || !logo_dark, {
  path: ["logo_dark"],
  error: "takes the place of a logo on dark pages; give logo, too",
});

type BrandFile = z.infer<typeof brandSchema>;

/** A picture of what the company offers, in one language. */
export interface BrandPicture {
  file: ContentFile;
  /** The picture for dark mode. Pages show it in the size of the picture for light mode. */
  dark?: ContentFile;
  /** The alternative text. */
  alt: string;
}

/** The brand of a company. A member that `brand.yaml` leaves out is absent, and the built-in value applies. */
export interface Brand extends
  Pick<
    BrandFile,
    | "name"
    | "tagline"
    | "headline"
    | "promise"
    | "address"
    | "answers"
    | "developers"
    | "colors"
  > {
  /** The picture of what the company offers, by language. */
  picture?: Record<"en" | "de", BrandPicture>;
  logo?: ContentFile;
  /** The logo for dark mode. Pages show it in the size of the logo for light mode. */
  logoDark?: ContentFile;
  /**
   * The logo for letters. In letters, this logo takes the place of `logo`, for example because `logo` is an SVG, which
   * mail programs do not show.
   */
  letterLogo?: ContentFile;
  /** A variable font (WOFF 2), and its name in style sheets. */
  font?: { family: string; file: ContentFile };
  /** The picture of link previews. */
  socialImage?: ContentFile;
}

/** Returns the value for a language. A language other than German gets the English value. */
export function inLanguage<Value>(
  values: Record<"en" | "de", Value> | undefined,
  lang: string,
): Value | undefined {
  return values?.[lang === "de" ? "de" : "en"];
}

/** Returns the files of a brand that pages show. The logo for letters is not among them. */
export function pageFilesOf({ logo, logoDark, font, socialImage, picture }: Brand): ContentFile[] {
  const pictures = [picture?.en, picture?.de].flatMap((shown) => [shown?.file, shown?.dark]);
  const files = [logo, logoDark, font?.file, socialImage, ...pictures]
    .filter((file) => file !== undefined);
  // Each file is returned only once, because both languages may name the same picture.
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/** Whether a brand gives the pages a look of their own. Such pages do not show the built-in logo. */
export function hasOwnLook({ name, logo, font, picture, colors }: Brand): boolean {
  return Boolean(name ?? logo ?? font ?? picture) || Object.keys(colors).length > 0;
}

/**
 * Reads the brand and the files that it names.
 *
 * @param entries the files of the folder with `brand.yaml`, by name
 * @throws an Error that names the file and its faults
 */
export async function readBrand(entries: Map<string, ContentEntry>): Promise<Brand> {
  const entry = entries.get(BRAND_FILE);
  if (!entry) return { colors: {} };
  const { label } = entry;
  const { logo, logo_dark, letter_logo, font, social_image, picture, ...otherMembers } = checkValue(
    label,
    await readYaml(entry),
    brandSchema,
  );
  /** Reads a file that a member of `brand.yaml` names. */
  const readFile = (member: string, name: string): Promise<ContentFile> => {
    const file = entries.get(name);
    if (!file) throw new Error(`${label}: ${member}: there is no '${name}' beside this file`);
    return readContentFile(file);
  };
  const readPicture = async (
    member: string,
    { file, dark, alt }: z.infer<typeof pictureSchema>,
  ): Promise<BrandPicture> => ({
    file: await readFile(`${member}.file`, file),
    ...(dark && { dark: await readFile(`${member}.dark`, dark) }),
    alt,
  });
  return {
    ...(logo && { logo: await readFile("logo", logo) }),
    ...(logo_dark && { logoDark: await readFile("logo_dark", logo_dark) }),
    ...(letter_logo && { letterLogo: await readFile("letter_logo", letter_logo) }),
    ...(font && { font: { ...font, file: await readFile("font.file", font.file) } }),
    ...(social_image && { socialImage: await readFile("social_image", social_image) }),
    ...(picture && {
      picture: {
        en: await readPicture("picture.en", picture.en),
        de: await readPicture("picture.de", picture.de),
      },
    }),
    ...otherMembers,
  };
}
