/** Reads the texts of a language: `texts.yaml` for pages, and `console.yaml` for the console. @module */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ENGLISH_TEXTS } from "../../shared/generated/console.ts";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { ownMember } from "../../shared/own_member.ts";
import { isObject } from "../../shared/schemas.ts";
import type { Brand } from "./brand.ts";
import { formatDates } from "./dates.ts";
import { checkValue, type ContentEntry, readYaml, textSchema } from "./files.ts";

export const TEXTS_FILE = "texts.yaml";

export const CONSOLE_TEXTS_FILE = "console.yaml";

/** The texts of `texts.yaml`. They may have placeholders, and Markdown where a comment in the file says so. */
export type Texts = typeof english;

/** The texts of `console.yaml` in one language. A text with the placeholder `{count}` is a function of `{ count }`. */
export type ConsoleTexts = TextsOf<typeof ENGLISH_TEXTS> & {
  lang: "en" | "de";
  /** Writes a number in the form of the language, such as `12.345` in German. */
  number: (value: number) => string;
  /** Writes a number with few characters, such as `12K`. */
  shortNumber: (value: number) => string;
  /** Writes a share, such as `12.3%` for 0.123. */
  percent: (share: number) => string;
  /** Writes a day or a date-time in UTC, or a range of days. Returns any other text unchanged. */
  date: (moment: string, until?: string) => string;
  /** For each question: the brand's names for the answers, by slug. */
  answers: Record<"role" | "building", Partial<Record<string, string>>>;
};

/**
 * The type of the texts in any language. If the English text is `null`, the text of another language may be a string.
 */
type TextsOf<English> = English extends null ? string | null
  : English extends string ? [NameIn<English>] extends [never] ? string
    : (values: Record<NameIn<English>, string | number>) => string
  : { readonly [Key in keyof English]: TextsOf<English[Key]> };

/** The names of the placeholders in a text, such as `count` for `{count}`. */
type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** Matches a placeholder in single braces, such as `{count}`, but not in double braces, such as `{{site_name}}`. */
const PLACEHOLDER = /(?<!\{)\{\w+\}(?!\})/g;

/** For each key whose value is not a text for people, the pattern of the value: a locale, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

/**
 * The schemas of texts, by the joined placeholders of the text. Texts with the same placeholders share a schema,
 * because a schema for each of 500 texts would delay the start.
 */
const textSchemas = new Map<string, z.ZodType>();

/** Makes a schema from an example. A valid value has the same keys, and its texts have the same placeholders. */
function schemaOf(example: unknown, key = ""): z.ZodType {
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  if (isObject(example)) return z.strictObject(mapMembers(example, schemaOf));
  if (PATTERNS[key]) return z.string().regex(PATTERNS[key]);
  if (example === null) return textSchema.nullable();
  const placeholders = new Set(String(example).match(PLACEHOLDER));
  const joined = [...placeholders].join(" and ");
  const schema = textSchemas.get(joined) ?? textSchema.refine(
    (text) => new Set(text.match(PLACEHOLDER)).symmetricDifference(placeholders).size === 0,
    `must have ${joined || "no placeholder"}`,
  );
  textSchemas.set(joined, schema);
  return schema;
}

const textsSchema = schemaOf(english) as z.ZodType<Texts>;

/**
 * Reads `texts.yaml`. The file of an overlay has only the texts that it changes, so that the file stays valid if a
 * later version of the program has more texts.
 */
export async function readTexts(entry: ContentEntry): Promise<Texts> {
  return checkValue(entry.label, await readMembers(entry), textsSchema);
}

async function readMembers(entry: ContentEntry): Promise<unknown> {
  const own = await readYaml(entry);
  return entry.under ? replaceMembers(await readMembers(entry.under), own) : own;
}

/**
 * Returns the members of `under`, with members of the same name replaced by the members of `own`, at any depth. A
 * member that is a list is replaced by the whole list of `own`.
 */
function replaceMembers(under: unknown, own: unknown): unknown {
  if (!isObject(under) || !isObject(own)) return own;
  return {
    ...under,
    ...mapMembers(own, (value, name) => replaceMembers(ownMember(under, name), value)),
  };
}

const PERCENT = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

const consoleTextsSchema = schemaOf(ENGLISH_TEXTS);

const LOCALES = { en: "en-GB", de: "de-DE" } as const;

type ConsoleLanguage = keyof typeof LOCALES;

/** The texts of a language without the brand's names for answers. */
type TextsWithoutAnswers = Omit<ConsoleTexts, "answers">;

/** The built-in texts. They are read once, because both the console and the notices to operators use them. */
let builtInTexts: Promise<Record<ConsoleLanguage, TextsWithoutAnswers>> | undefined;

/**
 * Reads the texts of the console, which the overlay cannot change.
 *
 * @param options.folder the folder `content/`, if it is not the built-in folder
 * @param options.answers the brand's names for answers
 * @throws an Error that names a file and its faults
 */
export async function readConsoleTexts(
  { folder, answers = {} }: { folder?: URL; answers?: Brand["answers"] } = {},
): Promise<Record<ConsoleLanguage, ConsoleTexts>> {
  const { en, de } =
    await (folder
      ? readLanguages(folder)
      : builtInTexts ??= readLanguages(new URL("../../content/", import.meta.url)));
  const withAnswers = (texts: TextsWithoutAnswers): ConsoleTexts => {
    const namesOf = (names: typeof answers.role = {}) =>
      Object.fromEntries(
        Object.entries(names).map(([slug, translations]) => [slug, translations[texts.lang]]),
      );
    return {
      ...texts,
      answers: { role: namesOf(answers.role), building: namesOf(answers.building) },
    };
  };
  return { en: withAnswers(en), de: withAnswers(de) };
}

async function readLanguages(folder: URL): Promise<Record<ConsoleLanguage, TextsWithoutAnswers>> {
  const root = await realpath(folder);
  const readLanguage = async (lang: ConsoleLanguage): Promise<TextsWithoutAnswers> => {
    const locale = LOCALES[lang];
    const label = `content/${lang}/${CONSOLE_TEXTS_FILE}`;
    const value = await readYaml({ path: join(root, lang, CONSOLE_TEXTS_FILE), label, root });
    const formatNumber = new Intl.NumberFormat(locale).format;
    const texts = withFunctions(checkValue(label, value, consoleTextsSchema), formatNumber);
    return {
      // The cast is safe, because the schema has checked the keys and the placeholders.
      ...texts as TextsOf<typeof ENGLISH_TEXTS>,
      lang,
      number: formatNumber,
      shortNumber: new Intl.NumberFormat(locale, { notation: "compact" }).format,
      percent: new Intl.NumberFormat(locale, PERCENT).format,
      date: formatDates(locale),
    };
  };
  return { en: await readLanguage("en"), de: await readLanguage("de") };
}

/** Turns each text with placeholders into a function of their values, at any depth. */
function withFunctions(texts: unknown, formatNumber: ConsoleTexts["number"]): unknown {
  if (isObject(texts)) return mapMembers(texts, (value) => withFunctions(value, formatNumber));
  if (typeof texts !== "string" || texts.search(PLACEHOLDER) < 0) return texts;
  return (values: Record<string, string | number>) =>
    texts.replace(PLACEHOLDER, (placeholder) => {
      const value = values[placeholder.slice(1, -1)]!;
      return typeof value === "number" ? formatNumber(value) : value;
    });
}

function mapMembers<Mapped>(
  members: Record<string, unknown>,
  map: (value: unknown, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, map(value, name)]),
  );
}
