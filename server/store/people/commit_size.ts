/** How many people one commit changes. @module */
import { checksFor, type Kv } from "../kv/mod.ts";

/**
 * The most people whom one commit changes in work on many people, such as waves, jobs, imports and restores. The number
 * is small, because sign-ups wait for each such commit: beside the expiry of 10,000 people with 96 people in a commit,
 * one of a hundred sign-ups waited 73 ms, and with 64 people 33 ms. An import with 32 people takes a tenth longer.
 */
export const PEOPLE_IN_COMMIT = 64;

/**
 * Gives how many people one commit changes at most in work on many people.
 * @param reserved the number of checks that each commit needs besides those of people and schema
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
