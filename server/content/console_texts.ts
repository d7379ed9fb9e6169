/** Reads the texts of the console in each language. @module */
import { join } from "node:path";
import { ENGLISH_TEXTS } from "../../shared/generated/console.ts";
import { isObject } from "../../shared/schemas.ts";
import { readYaml } from "./files.ts";

export const CONSOLE_TEXTS_FILE = "console.yaml";

/** The console's texts in one language. A text with placeholders is a function of their values. */
export type ConsoleTexts = TextsOf<typeof ENGLISH_TEXTS> & {
  lang: "en" | "de";
  /** Writes a number as the language does, such as `12.345` in German. */
  number: (value: number) => string;
};

type TextsOf<English> = English extends null ? string | null
  : English extends string ? [NameIn<English>] extends [never] ? string
    : (values: Record<NameIn<English>, string | number>) => string
  : { readonly [Key in keyof English]: TextsOf<English[Key]> };

/** The names of the placeholders of a text, such as `count` for `{count}`. */
type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** Reads the texts, with the keys of the generated English ones. @throws an Error that names a file and its faults */
export async function readConsoleTexts(
  folder: URL = new URL("../../content/", import.meta.url),
): Promise<Record<"en" | "de", ConsoleTexts>> {
  const root = await Deno.realPath(folder);
  const read = async (lang: "en" | "de", locale: string): Promise<ConsoleTexts> => {
    const file = `content/${lang}/${CONSOLE_TEXTS_FILE}`;
    const path = join(root, lang, CONSOLE_TEXTS_FILE);
    const value = await readYaml({ path, label: file, root });
    const { format: number } = new Intl.NumberFormat(locale);
    const faults: string[] = [];
    const texts = toTexts(value, ENGLISH_TEXTS, { path: [], number, faults });
    if (faults.length > 0) throw new Error(`${file}: ${faults.join("; ")}`);
    return { ...texts as TextsOf<typeof ENGLISH_TEXTS>, lang, number };
  };
  return { en: await read("en", "en-GB"), de: await read("de", "de-DE") };
}

interface Reading extends Pick<ConsoleTexts, "number"> {
  /** The keys that lead to the value. */
  path: string[];
  faults: string[];
}

/** Uses no zod schema, as making one with 500 keys takes a tenth of a second. */
function toTexts(value: unknown, english: unknown, reading: Reading): unknown {
  const { path, number, faults } = reading;
  const fault = (sentence: string) => void faults.push(`${path.join(".")} ${sentence}`);
  if (value === undefined) return fault("is missing");
  if (english === null && value === null) return null;
  if (isObject(english)) {
    if (!isObject(value)) return fault("must be a group of keys");
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(english, key));
    faults.push(...unknown.map((key) => `there is no key '${[...path, key].join(".")}'`));
    const members = Object.entries(english).map(([key, inner]) =>
      [key, toTexts(value[key], inner, { ...reading, path: [...path, key] })] as const
    );
    return Object.fromEntries(members);
  }
  if (typeof value !== "string" || value === "") return fault("must be a text");
  const wanted = new Set(String(english).match(PLACEHOLDER));
  if (new Set(value.match(PLACEHOLDER)).symmetricDifference(wanted).size > 0) {
    return fault(`must have ${[...wanted].join(" and ") || "no placeholder"}`);
  }
  if (wanted.size === 0) return value;
  return (values: Record<string, string | number>) =>
    value.replace(PLACEHOLDER, (name) => {
      const given = values[name.slice(1, -1)]!;
      return typeof given === "number" ? number(given) : given;
    });
}

const PLACEHOLDER = /\{\w+\}/g;
