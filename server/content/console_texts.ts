/** Reads `console.yaml`, the texts of the console, which the overlay cannot change. @module */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { ENGLISH_TEXTS } from "../../shared/generated/console.ts";
import { dayEndingAt } from "../../shared/moments.ts";
import { isObject } from "../../shared/schemas.ts";
import type { Brand } from "./brand.ts";
import { formatDates, formatExactTimes } from "./dates.ts";
import { checkValue, readYaml } from "./files.ts";
import { mapMembers, PLACEHOLDER, schemaOf } from "./text_schemas.ts";

/** The name of the file with the texts of the console, in the folder of each language. */
export const CONSOLE_TEXTS_FILE = "console.yaml";

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
  /** Writes a date-time with its seconds and with `UTC`. */
  exactTime: (moment: string) => string;
  /** Writes the moment at which something ends. An end at midnight (UTC) is written as the end of the day before. */
  end: (moment: string) => string;
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

const consoleTextsSchema = schemaOf(ENGLISH_TEXTS);

const PERCENT_FORMAT = {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
} as const;

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
  const { en, de } = await (folder ? readLanguages(folder) : readBuiltInTexts());
  return { en: withAnswers(en, answers), de: withAnswers(de, answers) };
}

function readBuiltInTexts(): Promise<Record<ConsoleLanguage, TextsWithoutAnswers>> {
  builtInTexts ??= readLanguages(new URL("../../content/", import.meta.url));
  return builtInTexts;
}

function withAnswers(
  texts: TextsWithoutAnswers,
  { role, building }: NonNullable<Brand["answers"]>,
): ConsoleTexts {
  const namesOf = (answers: typeof role = {}) =>
    Object.fromEntries(Object.entries(answers).map(([slug, names]) => [slug, names[texts.lang]]));
  return { ...texts, answers: { role: namesOf(role), building: namesOf(building) } };
}

async function readLanguages(folder: URL): Promise<Record<ConsoleLanguage, TextsWithoutAnswers>> {
  const root = await realpath(folder);
  const readLanguage = async (lang: ConsoleLanguage): Promise<TextsWithoutAnswers> => {
    const locale = LOCALES[lang];
    const label = `content/${lang}/${CONSOLE_TEXTS_FILE}`;
    const value = await readYaml({ path: join(root, lang, CONSOLE_TEXTS_FILE), label, root });
    const formatNumber = new Intl.NumberFormat(locale).format;
    // The cast is safe, because the schema has checked the keys and the placeholders.
    const texts = withFunctions(
      checkValue(label, value, consoleTextsSchema),
      formatNumber,
    ) as TextsOf<typeof ENGLISH_TEXTS>;
    const date = formatDates(locale);
    return {
      ...texts,
      lang,
      number: formatNumber,
      shortNumber: new Intl.NumberFormat(locale, { notation: "compact" }).format,
      percent: new Intl.NumberFormat(locale, PERCENT_FORMAT).format,
      date,
      exactTime: formatExactTimes(locale),
      end(moment) {
        const lastDay = dayEndingAt(moment);
        return lastDay === undefined ? date(moment) : texts.words.endOfDay({ day: date(lastDay) });
      },
    };
  };
  return { en: await readLanguage("en"), de: await readLanguage("de") };
}

/** Turns each text with placeholders, at any depth, into a function of the values of the placeholders. */
function withFunctions(texts: unknown, formatNumber: ConsoleTexts["number"]): unknown {
  if (isObject(texts)) return mapMembers(texts, (value) => withFunctions(value, formatNumber));
  if (typeof texts !== "string" || texts.search(PLACEHOLDER) < 0) return texts;
  return (values: Record<string, string | number>) =>
    texts.replace(PLACEHOLDER, (placeholder) => {
      const value = values[placeholder.slice(1, -1)]!;
      return typeof value === "number" ? formatNumber(value) : value;
    });
}
