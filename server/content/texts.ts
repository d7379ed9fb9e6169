/** The texts of a language: those that its pages share, and the console's. The English ones tell which. @module */
import { ownMember } from "../../shared/own_member.ts";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Attention } from "../../shared/attention.ts";
import { ENGLISH_TEXTS } from "../../shared/generated/console.ts";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { isObject } from "../../shared/schemas.ts";
import type { Brand } from "./brand.ts";
import { checkValue, type ContentEntry, readYaml, textSchema } from "./files.ts";

export const TEXTS_FILE = "texts.yaml", CONSOLE_TEXTS_FILE = "console.yaml";

/** Values may use placeholders, and Markdown where the file notes it. */
export type Texts = typeof english;

/** The console's texts in one language. A text with `{names}` is a function of their values. */
export type ConsoleTexts = TextsOf<typeof ENGLISH_TEXTS> & {
  lang: "en" | "de";
  /** Writes a number as the language does, such as `12.345` in German. */
  number: (value: number) => string;
  /** Writes a number in few characters, such as `12K`. */
  shortNumber: (value: number) => string;
  /** Writes a share of the whole, such as `12.3%` for 0.123. */
  percent: (share: number) => string;
  /** Writes a day or a date-time in UTC, or a range of them, as the language does; text that is none stays. */
  date: (moment: string, until?: string) => string;
  /** What the brand calls the answers to each question, by their slugs. */
  answers: Record<"role" | "building", Partial<Record<string, string>>>;
};

type TextsOf<English> = English extends null ? string | null
  : English extends string ? [NameIn<English>] extends [never] ? string
    : (values: Record<NameIn<English>, string | number>) => string
  : { readonly [Key in keyof English]: TextsOf<English[Key]> };

/** The names in a text, such as `count` for `{count}`. */
type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** A name for which a program puts a value; `{{name}}` is a placeholder, which a text may leave out. */
const NAME = /(?<!\{)\{\w+\}(?!\})/g;

/** The forms of what is not words, by key: the locale for Open Graph, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

/** The schemas of texts by their names, as making one for each of 500 texts would delay the start. */
const textSchemas = new Map<string, z.ZodType>();

/** Makes the schema of values that have the keys of an example, and in each text the names of the example's. */
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

/** A file in an upper folder needs only what it changes, so that it still fits when a later version has more texts. */
export async function readTexts(entry: ContentEntry): Promise<Texts> {
  return checkValue(entry.label, await readMembers(entry), textsSchema);
}

async function readMembers(entry: ContentEntry): Promise<unknown> {
  const own = await readYaml(entry);
  return entry.under ? replaceMembers(await readMembers(entry.under), own) : own;
}

/** Replaces members at any depth; lists and texts are replaced whole. */
function replaceMembers(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  return {
    ...under,
    ...mapMembers(over, (value, name) => replaceMembers(ownMember(under, name), value)),
  };
}

const PERCENT = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

const consoleTextsSchema = schemaOf(ENGLISH_TEXTS);

/** Reads the texts of the console, which no other folder changes. @throws an Error that names a file and its faults */
export async function readConsoleTexts(
  folder: URL = new URL("../../content/", import.meta.url),
  named: Brand["answers"] = {},
) {
  const root = await realpath(folder);
  const read = async (lang: "en" | "de", locale: string): Promise<ConsoleTexts> => {
    const label = `content/${lang}/${CONSOLE_TEXTS_FILE}`;
    const value = await readYaml({ path: join(root, lang, CONSOLE_TEXTS_FILE), label, root });
    const { format: number } = new Intl.NumberFormat(locale);
    const texts = withFunctions(checkValue(label, value, consoleTextsSchema), number);
    const { format: shortNumber } = new Intl.NumberFormat(locale, { notation: "compact" });
    const { format: percent } = new Intl.NumberFormat(locale, PERCENT);
    const formats = { lang, number, shortNumber, percent, date: datesOf(locale) };
    const namesOf = (names: typeof named.role = {}) =>
      Object.fromEntries(Object.entries(names).map(([slug, each]) => [slug, each[lang]]));
    const answers = { role: namesOf(named.role), building: namesOf(named.building) };
    return { ...texts as TextsOf<typeof ENGLISH_TEXTS>, ...formats, answers };
  };
  return { en: await read("en", "en-GB"), de: await read("de", "de-DE") };
}

function datesOf(locale: string): ConsoleTexts["date"] {
  const day = { dateStyle: "medium", timeZone: "UTC" } as const;
  const days = new Intl.DateTimeFormat(locale, day);
  const times = new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" });
  return (moment, until = moment) => {
    const [from, to] = [Date.parse(moment), Date.parse(until)];
    if (isNaN(from + to)) return moment;
    // A range takes ten times as long to write.
    return from < to
      ? days.formatRange(from, to)
      : (moment.length > 10 ? times : days).format(from);
  };
}

function withFunctions(texts: unknown, number: ConsoleTexts["number"]): unknown {
  if (isObject(texts)) return mapMembers(texts, (value) => withFunctions(value, number));
  if (typeof texts !== "string" || texts.search(NAME) < 0) return texts;
  return (values: Record<string, string | number>) =>
    texts.replace(NAME, (name) => {
      const given = values[name.slice(1, -1)]!;
      return typeof given === "number" ? number(given) : given;
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

/** Says in a language what needs attention. */
export function describeAttention(each: Attention, { overview, date }: ConsoleTexts): string {
  const { warnings: texts } = overview;
  const time = (moment: string) => `${date(moment)} UTC`;
  switch (each.about) {
    case "noBackup":
      return texts.noBackup;
    case "refused":
      return texts.refused[each.of.about]({ ...each.of, day: date(each.of.day) });
    case "paused":
      return texts.paused({ until: time(each.until), reason: each.reason });
    case "late":
      return texts.late({ since: time(each.since) });
    default:
      return texts[each.about]({ reason: "", ...each, at: time(each.at) });
  }
}
