/** Reads the texts of a language: `texts.yaml` for pages, and `console.yaml` for the console. @module */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Attention } from "../../shared/attention.ts";
import { ENGLISH_TEXTS } from "../../shared/generated/console.ts";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { ownMember } from "../../shared/own_member.ts";
import { isObject } from "../../shared/schemas.ts";
import type { Brand } from "./brand.ts";
import { checkValue, type ContentEntry, readYaml, textSchema } from "./files.ts";

const DAY_MS = 86_400_000;

export const TEXTS_FILE = "texts.yaml";

export const CONSOLE_TEXTS_FILE = "console.yaml";

/** The texts of `texts.yaml`. They may have placeholders, and Markdown where a comment in the file says so. */
export type Texts = typeof english;

/** The texts of `console.yaml` in one language. A text with `{count}` is a function of `{ count }`. */
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

/** The type of the texts in any language. Where the English text is `null`, another language may have a text. */
type TextsOf<English> = English extends null ? string | null
  : English extends string ? [NameIn<English>] extends [never] ? string
    : (values: Record<NameIn<English>, string | number>) => string
  : { readonly [Key in keyof English]: TextsOf<English[Key]> };

/** The names of the values in a text, such as `count` for `{count}`. */
type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** Matches the place of a value, such as `{count}`, but not a placeholder, such as `{{site_name}}`. */
const NAME = /(?<!\{)\{\w+\}(?!\})/g;

/** Patterns of values that are no texts, by key: the locale for Open Graph, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

/**
 * The schemas of texts, by the names of the values in the text. Texts with the same names share a schema, because a
 * schema for each of 500 texts would delay the start.
 */
const textSchemas = new Map<string, z.ZodType>();

/** Makes a schema from an example. A valid value has the same keys, and its texts have the same `{names}`. */
function schemaOf(example: unknown, key = ""): z.ZodType {
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  if (isObject(example)) {
    const members = Object.entries(example).map(([key, value]) => [key, schemaOf(value, key)]);
    return z.strictObject(Object.fromEntries(members));
  }
  if (PATTERNS[key]) return z.string().regex(PATTERNS[key]);
  if (example === null) return textSchema.nullable();
  const names = new Set(String(example).match(NAME));
  const wanted = [...names].join(" and ") || "no placeholder";
  const schema = textSchemas.get(wanted) ?? textSchema.refine(
    (text) => new Set(text.match(NAME)).symmetricDifference(names).size === 0,
    `must have ${wanted}`,
  );
  textSchemas.set(wanted, schema);
  return schema;
}

const textsSchema = schemaOf(english) as z.ZodType<Texts>;

/**
 * Reads `texts.yaml`. A file in the overlay has only the texts that it changes, so that it still fits when a later
 * version of the program has more texts.
 */
export async function readTexts(entry: ContentEntry): Promise<Texts> {
  return checkValue(entry.label, await readMembers(entry), textsSchema);
}

async function readMembers(entry: ContentEntry): Promise<unknown> {
  const own = await readYaml(entry);
  return entry.under ? replaceMembers(await readMembers(entry.under), own) : own;
}

/**
 * Returns the members of `under`, in which the members of `own` replace those of the same name, at any depth. A list is
 * replaced as a whole.
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
    const { format: number } = new Intl.NumberFormat(locale);
    const texts = withFunctions(checkValue(label, value, consoleTextsSchema), number);
    const { format: shortNumber } = new Intl.NumberFormat(locale, { notation: "compact" });
    const { format: percent } = new Intl.NumberFormat(locale, PERCENT);
    return {
      // The cast is safe, because the schema has checked the keys and the names of the values.
      ...texts as TextsOf<typeof ENGLISH_TEXTS>,
      lang,
      number,
      shortNumber,
      percent,
      date: datesOf(locale),
    };
  };
  return { en: await readLanguage("en"), de: await readLanguage("de") };
}

/**
 * Writes the moment at which something ends. An end at midnight (UTC) is written as the end of the day before, because
 * people misread `1 January at 00:00`.
 *
 * @param moment a date-time
 */
export function formatEnd(
  moment: string,
  { locale, place }: Pick<Texts, "locale" | "place">,
): string {
  const end = Date.parse(moment);
  const write = (time: number, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale.replace("_", "-"), { ...format, timeZone: "UTC" }).format(time);
  const isMidnight = end % DAY_MS === 0;
  return isMidnight
    ? place.end_of_day.replace("{day}", write(end - 1, { dateStyle: "long" }))
    : `${write(end, { dateStyle: "long", timeStyle: "short" })} UTC`;
}

/** Makes the function that writes days and date-times. */
function datesOf(locale: string): ConsoleTexts["date"] {
  const day = { dateStyle: "medium", timeZone: "UTC" } as const;
  const days = new Intl.DateTimeFormat(locale, day);
  const times = new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" });
  return (moment, until = moment) => {
    const from = Date.parse(moment);
    const to = Date.parse(until);
    if (isNaN(from + to)) return moment;
    // Writing a range takes ten times as long, so a single day is not written as a range.
    return from < to
      ? days.formatRange(from, to)
      : (moment.length > 10 ? times : days).format(from);
  };
}

/** Turns each text with `{names}` into a function of their values, at any depth. */
function withFunctions(texts: unknown, number: ConsoleTexts["number"]): unknown {
  if (isObject(texts)) return mapMembers(texts, (value) => withFunctions(value, number));
  if (typeof texts !== "string" || texts.search(NAME) < 0) return texts;
  return (values: Record<string, string | number>) =>
    texts.replace(NAME, (name) => {
      const value = values[name.slice(1, -1)]!;
      return typeof value === "number" ? number(value) : value;
    });
}

function mapMembers(
  members: Record<string, unknown>,
  map: (value: unknown, name: string) => unknown,
) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, map(value, name)]),
  );
}

/** Says what needs attention, in the language of the texts. */
export function describeAttention(problem: Attention, { overview, date }: ConsoleTexts): string {
  const { warnings: texts } = overview;
  const time = (moment: string) => `${date(moment)} UTC`;
  switch (problem.about) {
    case "noBackup":
      return texts.noBackup;
    case "refused":
      return texts.refused[problem.of.about]({ ...problem.of, day: date(problem.of.day) });
    case "leftOutRuns": {
      const { schedule, reason, dates } = problem.of;
      return texts.leftOutRuns[reason]({
        schedule,
        dates: dates.map((day) => date(day)).join(", "),
      });
    }
    case "paused":
      return texts.paused({ until: time(problem.until), reason: problem.reason });
    case "late":
      return texts.late({ since: time(problem.since) });
    default:
      return texts[problem.about]({ reason: "", ...problem, at: time(problem.at) });
  }
}
