/**
 * Says what could be meant by a key that a file of `content/` has and its schema has not.
 *
 * @module
 */
import { z } from "zod";

/** How many letters of a key may be wrong, so that it is taken for a known one. */
const MAX_TYPOS = 2;

/**
 * Describes keys that a schema does not know: `there is no key 'nmae', perhaps 'name' is meant (the keys are name
 * and logo)`.
 *
 * @param path where the keys are in the value
 */
export function describeUnknownKeys(
  unknown: string[],
  { schema, path }: { schema: z.ZodType; path: PropertyKey[] },
): string {
  const known = keysAt(schema, path);
  const described = unknown.map((key) => {
    const near = nearest(key, known);
    return near === undefined ? `'${key}'` : `'${key}', perhaps '${near}' is meant`;
  });
  return `there is no key ${described.join(", and none ")} (the keys are ${known.join(", ")})`;
}

/** The keys that a schema has for the object at a path. */
function keysAt(schema: z.ZodType, path: PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const name of path) at = schemaIn(at, String(name));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The schema of a member of an object or a list, without the wrapper of one that can be left out. */
function schemaIn(schema: unknown, name: string): unknown {
  const member = schema instanceof z.ZodArray
    ? schema.element
    : schema instanceof z.ZodObject
    ? schema.shape[name]
    : undefined;
  return member instanceof z.ZodExactOptional ? member.unwrap() : member;
}

/** The known word that differs least from another one, if it differs by few letters. */
function nearest(word: string, known: string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, typos: typosBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, typos }) => typos <= MAX_TYPOS && typos < name.length)
    .sort((a, b) => a.typos - b.typos);
  return best?.name;
}

/** Counts the letters to change, add or take away to make one word of another (Levenshtein's distance). */
function typosBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + Number(letter !== b[j - 1]);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
