/** How far the clocks of two processes may differ, and the order of moments in spite of the difference. @module */

/** The largest difference between the clocks of two processes for which the service works, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Gives the moment to store for a change: `at`, or `earlier` if `at` is before it, so that the changes of a person stay
 * in their order. If `earlier` is more than {@linkcode CLOCK_TOLERANCE_MS} after `at`, it is ignored, because a wrong
 * clock gave it.
 *
 * @param at the moment of the change, in milliseconds since 1970
 * @param earlier the moment of an earlier change of the same person, in milliseconds since 1970
 */
export function notBefore(at: number, earlier: number): number {
  return earlier > at && earlier - at <= CLOCK_TOLERANCE_MS ? earlier : at;
}
