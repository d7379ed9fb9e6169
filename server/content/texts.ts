/** The texts that pages of a language share: navigation, forms, messages. The English ones tell which. @module */
import { z } from "zod";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { isObject } from "../../shared/schemas.ts";
import { checkValue, type ContentEntry, readYaml, textSchema } from "./files.ts";

export const TEXTS_FILE = "texts.yaml";

/** Values may use placeholders, and Markdown where the file notes it. */
export type Texts = typeof english;

/** The forms of what is not words, by key: the locale for Open Graph, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

const textsSchema = schemaOf(english) as z.ZodType<Texts>;

/** Makes the schema of values that have the keys of an example, and in each text the `{names}` of the example's. */
function schemaOf(example: unknown, key = ""): z.ZodType {
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  if (isObject(example)) {
    const members = Object.entries(example).map(([key, value]) => [key, schemaOf(value, key)]);
    return z.strictObject(Object.fromEntries(members));
  }
  if (PATTERNS[key]) return z.string().regex(PATTERNS[key]);
  // `{{name}}` is a placeholder, which a text may leave out.
  const names = String(example).match(/(?<!\{)\{\w+\}(?!\})/g) ?? [];
  return names.reduce((schema, name) => schema.includes(name), textSchema);
}

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
  const changed = Object.entries(over).map(([name, value]) =>
    [name, replaceMembers(under[name], value)] as const
  );
  return { ...under, ...Object.fromEntries(changed) };
}
