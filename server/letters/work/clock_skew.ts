/**
 * Makes outbox items due that were scheduled too late because a clock was ahead. It searches for such items at the
 * start, when the clock was set back, and once an hour, because the clock of another process may be wrong. @module
 */
import { HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { ATTEMPT_MS } from "../letter.ts";

/** The time after which the attempt to send a claimed item is certainly over, in milliseconds. */
const ATTEMPT_OVER_MS = 2 * ATTEMPT_MS;

/** The time between two searches while no clock is set back, in milliseconds. */
const SEARCH_MS = HOUR;

export interface ClockSkewOptions extends Pick<Runtime, "now" | "monotonic"> {
  /**
   * Makes those items due that were scheduled by a clock that was ahead. Gives the number of these items.
   *
   * @param options.now the present moment, in milliseconds since 1970
   * @param options.claimed whether items that a process has claimed are included; their attempts may still be running
   */
  rescheduleSkewed: (options: { now: number; claimed: boolean }) => Promise<number>;
}

/**
 * Makes a function to be called every second. From time to time, the function looks for items that a clock that was
 * ahead has scheduled too late, and makes them due. It returns whether it found any.
 */
export function watchClockSkew(
  { rescheduleSkewed, now, monotonic }: ClockSkewOptions,
): () => Promise<boolean> {
  const jumpOf = watchJumps({ now, monotonic }, CLOCK_TOLERANCE_MS);
  let claimed = false;
  let nextAt = -Infinity;
  return async () => {
    if (jumpOf() < 0) {
      claimed = false;
      nextAt = -Infinity;
    }
    const at = monotonic();
    if (at < nextAt) return false;
    const made = await rescheduleSkewed({ now: now(), claimed });
    // The second search, which comes after `ATTEMPT_OVER_MS`, includes claimed items, because their attempts are over.
    nextAt = at + (claimed ? SEARCH_MS : ATTEMPT_OVER_MS);
    claimed = true;
    return made > 0;
  };
}
