/**
 * Makes outbox items due that were scheduled too late because a clock was ahead. A first search, at the start and
 * whenever the clock was set back, finds items that no process has claimed. A second search soon afterwards also finds
 * claimed items. Further searches once an hour are needed because the clock of another process may be wrong. @module
 */
import { HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { ATTEMPT_MS } from "../letter.ts";

/**
 * The time between the first search and the second one, in milliseconds. The attempts to send the items that were
 * claimed at the first search are over by then. Twice the longest attempt allows for the work before and after an
 * attempt.
 */
const SECOND_SEARCH_MS = 2 * ATTEMPT_MS;

/** The time between two further searches, in milliseconds. */
const FURTHER_SEARCH_MS = HOUR;

/** What {@linkcode createSkewSearch} needs. */
export interface ClockSkewOptions extends Pick<Runtime, "now" | "monotonic"> {
  /**
   * Makes those items due that were scheduled by a clock that was ahead. Gives the number of these items.
   *
   * @param options.now the present moment, in milliseconds since 1970
   * @param options.includesClaimed whether items that a process has claimed are included; their attempts may still be
   * running
   */
  rescheduleSkewed: (options: { now: number; includesClaimed: boolean }) => Promise<number>;
}

/**
 * Makes a function to be called every second. If a search is due, the function searches for items that were scheduled
 * too late because a clock was ahead, and makes them due. The function returns whether the search found such items. A
 * call while a search is running starts no other search, and returns `false`.
 */
export function createSkewSearch(
  { rescheduleSkewed, now, monotonic }: ClockSkewOptions,
): () => Promise<boolean> {
  const readJump = watchJumps({ now, monotonic }, CLOCK_TOLERANCE_MS);
  /** Whether the next search includes items that a process has claimed; the first search does not. */
  let includesClaimed = false;
  /** The moment of the next search, on the monotonic clock. */
  let nextSearchAt = -Infinity;
  let isSearching = false;

  async function search(): Promise<boolean> {
    // A jump during a search is noticed by the first call after the search, because only this function reads jumps.
    if (readJump() < 0) {
      includesClaimed = false;
      nextSearchAt = -Infinity;
    }
    const startedAt = monotonic();
    if (startedAt < nextSearchAt) return false;
    const count = await rescheduleSkewed({ now: now(), includesClaimed });
    nextSearchAt = startedAt + (includesClaimed ? FURTHER_SEARCH_MS : SECOND_SEARCH_MS);
    includesClaimed = true;
    return count > 0;
  }

  return async () => {
    if (isSearching) return false;
    isSearching = true;
    try {
      return await search();
    } finally {
      isSearching = false;
    }
  };
}
