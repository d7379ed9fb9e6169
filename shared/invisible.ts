/**
 * Finds and removes characters that a reader cannot see: all kinds of spaces, and characters that only format text. Texts
 * that were copied from web pages and spreadsheets often have them.
 *
 * @module
 */

/** A part of a regular expression: matches one character that a reader cannot see. */
export const INVISIBLE = String.raw`[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]`;

/** Matches the first invisible character of a text, also a control character, which could change a terminal's display. */
const FIRST = new RegExp(`${INVISIBLE}|\\p{Cc}`, "u");
/** Matches the invisible characters at the beginning and at the end of a text. */
const AROUND = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, "gu");

/**
 * Matches a text with nothing to trim: it begins and ends with printable ASCII. The test is here for speed, because
 * most texts pass it and `AROUND` is slower.
 */
const PLAIN = /^[!-~](?:.*[!-~])?$/s;

/** Removes invisible characters at the beginning and at the end of a text. */
export function trimInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(AROUND, "");
}

/** A character that a reader cannot see. */
export interface InvisibleCharacter {
  /** The Unicode code point, such as `U+200B`. */
  codePoint: string;
  /** `space` for a character that has a width, and `invisible` for a character without a width. */
  kind: "space" | "invisible";
}

/**
 * Finds the first invisible character in an address; `undefined` if there is none. A text without an `@` gives
 * `undefined` too, because the missing `@` is the fault to report.
 */
export function findInvisible(address: string): InvisibleCharacter | undefined {
  const [character] = address.includes("@") ? FIRST.exec(address) ?? [] : [];
  if (character === undefined) return undefined;
  const digits = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const kind = /\p{White_Space}/u.test(character) ? "space" : "invisible";
  return { codePoint: `U+${digits}`, kind };
}

/** Returns the name of a character, for use in a sentence: `U+200B, an invisible character`. */
export function nameInvisible({ codePoint, kind }: InvisibleCharacter): string {
  return `${codePoint}, ${kind === "space" ? "a space" : "an invisible character"}`;
}
