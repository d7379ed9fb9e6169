/**
 * Characters that nobody sees: spaces of all kinds, and characters that only format text. Texts that were copied from
 * web pages and spreadsheets have them.
 *
 * @module
 */

/** The part of a regular expression for a space, a format character, or another one that is displayed as nothing. */
export const INVISIBLE = String.raw`[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]`;

const FIRST = new RegExp(INVISIBLE, "u");
const AROUND = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, "gu");

/** Most values begin and end with a character of these, and the expression above takes longer. */
const PLAIN = /^[!-~](?:.*[!-~])?$/s;

/** Removes the characters that nobody sees at the beginning and at the end of a text. */
export function trimInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(AROUND, "");
}

/** A character that nobody sees. */
export interface InvisibleCharacter {
  /** Its Unicode code point, such as `U+200B`. */
  codePoint: string;
  /** Spaces have a width; the others have none. */
  kind: "space" | "invisible";
}

/**
 * Finds the first character of an address that nobody sees; `undefined` where all can be seen, and for a text without an
 * `@`, whose fault is another one.
 */
export function findInvisible(address: string): InvisibleCharacter | undefined {
  const [character] = address.includes("@") ? FIRST.exec(address) ?? [] : [];
  if (character === undefined) return undefined;
  const digits = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const kind = /\p{White_Space}/u.test(character) ? "space" : "invisible";
  return { codePoint: `U+${digits}`, kind };
}

/** Names a character within a sentence: `U+200B, an invisible character`. */
export function nameInvisible({ codePoint, kind }: InvisibleCharacter): string {
  return `${codePoint}, ${kind === "space" ? "a space" : "an invisible character"}`;
}
