/** The binary search that finds the keys of unreadable entries, number by number or character by character. @module */

/**
 * The last character of ASCII (delete), and the highest that a search for a text tries. The search misses no key,
 * because all texts in keys are ASCII without this character.
 */
export const END_OF_ASCII = 0x7f;

/**
 * Finds the largest whole number for which `isTooLarge` is false, from `from` on and below `below`. For `from` itself,
 * `isTooLarge` must be false.
 */
export async function findLargest(
  { from, below }: { from: number; below: number },
  isTooLarge: (number: number) => Promise<boolean>,
): Promise<number> {
  let largest = from;
  let tooLarge = below;
  while (tooLarge - largest > 1) {
    const middle = Math.floor((largest + tooLarge) / 2);
    if (await isTooLarge(middle)) tooLarge = middle;
    else largest = middle;
  }
  return largest;
}

/**
 * Finds the code of the next character of a text.
 * @param isBefore tells whether the next character of the text comes before the character with the code `code`
 * @returns the code; {@linkcode END_OF_ASCII} if no character of a key fits
 */
export const findCharacterCode = (isBefore: (code: number) => Promise<boolean>): Promise<number> =>
  findLargest({ from: 0, below: END_OF_ASCII + 1 }, isBefore);
