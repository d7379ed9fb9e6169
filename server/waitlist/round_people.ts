/** Rounds numbers of people for pages that everybody can see. @module */

/** The largest number of people that is shown exactly. Larger numbers are rounded. */
const MAX_EXACT = 99;

/**
 * Rounds a number of people down to two digits: 3,456 becomes 3,400. A number below 100 stays exact.
 * @returns the number, and whether the number has to be shown with the word "about"
 */
export function roundPeople(count: number): { count: number; isAbout: boolean } {
  if (count <= MAX_EXACT) return { count, isAbout: false };
  const unit = 10 ** (String(count).length - 2);
  return { count: Math.floor(count / unit) * unit, isAbout: true };
}
