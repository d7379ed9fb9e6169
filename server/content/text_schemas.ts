/** Makes the schemas of `texts.yaml` and `console.yaml` from their English texts. @module */
import { z } from "zod";
import { isObject } from "../../shared/schemas.ts";
import { textSchema } from "./files.ts";

/** Matches a placeholder in single braces, such as `{count}`, but not in double braces, such as `{{site_name}}`. */
export const PLACEHOLDER = /(?<!\{)\{\w+\}(?!\})/g;

/** For each key whose value is not a text for people, the pattern of the value: a locale, and the path of a link. */
const PATTERNS: Record<string, RegExp> = { locale: /^[a-z]{2}_[A-Z]{2}$/, path: /^\/\S*$/ };

/**
 * The schemas of texts, by the joined placeholders of the text. Texts with the same placeholders share a schema,
 * because a schema for each of 500 texts would delay the start.
 */
const textSchemas = new Map<string, z.ZodType>();

/** Makes a schema from an example. A valid value has the example's keys, and its texts have the same placeholders. */
export function schemaOf(example: unknown, key = ""): z.ZodType {
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  if (isObject(example)) return z.strictObject(mapMembers(example, schemaOf));
  if (PATTERNS[key]) return z.string().regex(PATTERNS[key]);
  if (example === null) return textSchema.nullable();
  const placeholders = new Set(String(example).match(PLACEHOLDER));
  const joinedPlaceholders = [...placeholders].join(" and ");
  const schema = textSchemas.get(joinedPlaceholders) ?? textSchema.refine(
    (text) => new Set(text.match(PLACEHOLDER)).symmetricDifference(placeholders).size === 0,
    `must have ${joinedPlaceholders || "no placeholder"}`,
  );
  textSchemas.set(joinedPlaceholders, schema);
  return schema;
}

/** Makes an object with the same keys, and a new value for each key. */
export function mapMembers<Mapped>(
  members: Record<string, unknown>,
  map: (value: unknown, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, map(value, name)]),
  );
}
