/** How many people one commit changes. @module */
import { checksFor, type Kv } from "../kv/mod.ts";

/**
 * The most people whom one commit changes in work on many people, such as waves, jobs, imports and restores. The number
 * is small, because sign-ups wait for each such commit. During the expiry of 10,000 people, one sign-up in a hundred
 * waited 73 ms with 96 people in a commit, and 33 ms with 64 people. With 32 people in a commit, an import takes a
 * tenth longer.
 */
export const PEOPLE_IN_COMMIT = 64;

/**
 * Gives how many people one commit changes at most in work on many people.
 * @param reserved the number of checks that each commit needs besides the checks of people and the check of the schema
 */
export const maxPeopleInCommit = (kv: Kv, reserved = 0): number =>
  Math.min(checksFor(kv, reserved), PEOPLE_IN_COMMIT);

/**
 * Splits people into two halves, because their change is too large for one commit, for example if addresses are long.
 */
export function halve<T>(whole: T[]): [T[], T[]] {
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)];
}
