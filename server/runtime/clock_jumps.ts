/** What {@linkcode watchJumps} needs. */
export interface Clocks {
  /** The wall clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
}

/**
 * Watches for jumps of the wall clock against the monotonic one. Several small ones add up.
 *
 * @param minMs the shortest jump that counts, in milliseconds
 * @returns gives by how many milliseconds the wall clock has jumped since the last jump that it told of, 0 where
 * it has not; negative where it was set back
 */
export function watchJumps({ now, monotonic }: Clocks, minMs: number): () => number {
  let offset = now() - monotonic();
  return () => {
    const jump = now() - monotonic() - offset;
    if (Math.abs(jump) <= minMs) return 0;
    offset += jump;
    return jump;
  };
}
