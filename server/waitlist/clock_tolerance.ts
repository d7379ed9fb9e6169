/**
 * How far the clocks of two processes may differ, and how the changes of a person stay in order in spite of the
 * difference. @module
 */

/** The largest difference between the clocks of two processes for which the service works, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Gives the moment to store for a change: normally `at`. If the clock of another process was ahead, `earlier` can be
 * after `at`; then `earlier` is given, so that the changes stay in order. If `earlier` is more than {@linkcode
 * CLOCK_TOLERANCE_MS} after `at`, it came from a wrong clock and is ignored.
 *
 * @param at the moment of the change, in milliseconds since 1970
 * @param earlier the stored moment of the person's change before, in milliseconds since 1970
 */
export function notBefore(at: number, earlier: number): number {
  return earlier > at && earlier - at <= CLOCK_TOLERANCE_MS ? earlier : at;
}
