/**
 * The texts of a language that several pages share: navigation, forms, messages. They are in `texts.yaml`
 * in the language's folder; the built-in English ones say which there are.
 *
 * @module
 */
import { z } from "zod";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { isObject } from "../../shared/schemas.ts";
import { checkValue, type ContentEntry, parseYaml, readTextFile, textSchema } from "./files.ts";

/** The name of the file in the folder of a language. */
export const TEXTS_FILE = "texts.yaml";

/** The texts of a language. Values may use placeholders, and Markdown where the file notes it. */
export type Texts = typeof english;

/** The forms of what is not words, by key: the locale for Open Graph, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

const textsSchema = schemaLike(english);

/** Makes the schema of values that have the keys of an example, and in each text the `{names}` of the example's. */
export function schemaLike<Example>(example: Example): z.ZodType<Example> {
  return schemaOf(example) as z.ZodType<Example>;
}

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

/**
 * Reads the texts of a language. A file in an upper folder needs only the texts that it changes, so that it still
 * fits when a later version has texts that it does not know.
 */
export async function readTexts(entry: ContentEntry): Promise<Texts> {
  return checkValue(entry.label, await readMembers(entry), textsSchema);
}

async function readMembers(entry: ContentEntry): Promise<unknown> {
  const { label, under } = entry;
  const own = parseYaml(label, await readTextFile(entry));
  return under ? replaceMembers(await readMembers(under), own) : own;
}

/** Replaces the members of objects at any depth; lists and texts are replaced whole. */
function replaceMembers(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  const changed = Object.entries(over).map(([name, value]) =>
    [name, replaceMembers(under[name], value)] as const
  );
  return { ...under, ...Object.fromEntries(changed) };
}
