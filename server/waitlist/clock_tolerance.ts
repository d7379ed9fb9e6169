/**
 * How far the clocks of two processes may differ, and how the changes of a person stay in order in spite of the
 * difference. @module
 */

/** The service works if the clocks of two processes differ by at most this time, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Gives the moment to store for a change of a person, which is normally `at`. If the previous change was stored with a
 * later moment, because the clock of another process is ahead, gives the moment of the previous change, so that the
 * changes stay in order. If `previous` is more than {@linkcode CLOCK_TOLERANCE_MS} after `at`, it came from a wrong
 * clock and is ignored.
 *
 * @param at the moment of the change, in milliseconds since 1970
 * @param previous the stored moment of the person's previous change, in milliseconds since 1970
 */
export function momentInOrder(at: number, previous: number): number {
  return previous > at && previous - at <= CLOCK_TOLERANCE_MS ? previous : at;
}
