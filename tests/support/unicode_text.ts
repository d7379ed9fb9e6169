/** Arbitrary Unicode text for property tests. @module */
import assert from "node:assert/strict";
import fc from "fast-check";

/** The number of code points that are halves of a surrogate pair, and the first of them. They are no characters. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

/** The printable characters of ASCII come first, because fast-check prefers small numbers. */
const FIRST_PRINTABLE = 0x20;
const PRINTABLE = 95;

const toCodePoint = (index: number): number => {
  if (index < PRINTABLE) return index + FIRST_PRINTABLE;
  if (index < PRINTABLE + FIRST_PRINTABLE) return index - PRINTABLE;
  return index < FIRST_HALF ? index : index + HALVES;
};

const toIndex = (codePoint: number): number => {
  if (codePoint < FIRST_PRINTABLE) return codePoint + PRINTABLE;
  if (codePoint < FIRST_PRINTABLE + PRINTABLE) return codePoint - FIRST_PRINTABLE;
  return codePoint < FIRST_HALF ? codePoint : codePoint - HALVES;
};

/** Any Unicode character. The inverse function lets fast-check add texts such as `__proto__`. */
const character = fc.nat(0x10_ffff - HALVES).map(
  (index) => String.fromCodePoint(toCodePoint(index)),
  (text) => {
    assert.ok(typeof text === "string" && [...text].length === 1);
    return toIndex(text.codePointAt(0)!);
  },
);

/**
 * Any Unicode text, like `fc.string({ unit: "binary" })`, which takes more than a second and 100 MB because it makes a
 * table of all characters.
 */
export const unicodeText = (
  constraints: Pick<fc.StringConstraints, "minLength" | "maxLength"> = {},
): fc.Arbitrary<string> => fc.string({ ...constraints, unit: character });
