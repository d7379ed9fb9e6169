/**
 * Makes due what was put into the outbox, claimed or postponed while the clock was ahead: at the start, when the
 * clock is set back, and now and then. What may be on its way then is looked at once more later. @module
 */
import { type Runtime, watchJumps } from "../../runtime/mod.ts";
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { ATTEMPT_MS } from "../letter.ts";

/** How long an item may be on its way, with the writing of what became of it, in milliseconds. */
const ON_ITS_WAY_MS = 2 * ATTEMPT_MS;

/** The time between two looks while the clock is right, in milliseconds: another process's may be wrong. */
const LOOK_MS = 60 * 60_000;

/** Makes the function, which gives whether items were made due; call it every second. */
export function watchPlacedAhead(
  /** Also makes claimed items due, if wanted; gives how many. */
  makeAheadDue: (options: { now: number; claimed: boolean }) => Promise<number>,
  { now, monotonic }: Pick<Runtime, "now" | "monotonic">,
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
    const made = await makeAheadDue({ now: now(), claimed });
    nextAt = at + (claimed ? LOOK_MS : ON_ITS_WAY_MS);
    claimed = true;
    return made > 0;
  };
}
