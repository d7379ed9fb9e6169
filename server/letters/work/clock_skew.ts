/**
 * Makes due again what was scheduled while a clock was ahead: at the start, when the clock is set back, and once an
 * hour. Claimed items, which may be on their way, wait for a second look. @module
 */
import { HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { ATTEMPT_MS } from "../letter.ts";

/** In milliseconds: how long an item may be on its way, and between two looks, as other clocks may be wrong. */
const ON_ITS_WAY_MS = 2 * ATTEMPT_MS, LOOK_MS = HOUR;

/** Makes the function, which gives whether items were made due; call it every second. */
export function watchClockSkew(
  /** Gives how many items it made due; takes the claimed ones, too, if wanted. */
  rescheduleSkewed: (options: { now: number; claimed: boolean }) => Promise<number>,
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
    const made = await rescheduleSkewed({ now: now(), claimed });
    nextAt = at + (claimed ? LOOK_MS : ON_ITS_WAY_MS);
    claimed = true;
    return made > 0;
  };
}
