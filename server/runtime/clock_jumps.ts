/** Finds jumps of the wall clock, which happen when somebody or the system sets the clock. @module */

/**
 * Makes the function that finds jumps of the wall clock, by comparing this clock with the monotonic clock. Several
 * small jumps add up to one jump.
 *
 * @param ignoredMs the largest jump that is ignored, in milliseconds
 * @returns a function that gives the jump since the last reported jump, in milliseconds: 0 if there was none, and
 * negative if the clock was set back
 */
export function watchJumps(
  { now, monotonic }: { now: () => number; monotonic: () => number },
  ignoredMs: number,
): () => number {
  let offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= ignoredMs) return 0;
    offset += jump;
    return jump;
  };
}
