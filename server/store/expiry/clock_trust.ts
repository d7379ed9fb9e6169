/**
 * Decides whether the clock can be trusted enough to erase people by it. A clock that is days ahead for a minute would
 * otherwise erase people who still have time, so nobody is erased for a day after the clock has jumped. @module
 */
import { DAY, HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { Commit, EXPIRY_CLOCK, findValue, type Kv } from "../kv/mod.ts";

/** The state that a process stores for the next process that starts. */
export interface ExpiryClock {
  /** The clock's time at the last run, in milliseconds since 1970. */
  at: number;
  /** The moment until which nobody is erased because the clock has jumped, in milliseconds since 1970. */
  heldUntil: number;
}

/**
 * Makes a function that says whether the clock has not jumped for a day, and stores what it has found out. In its first
 * call, it also uses what the process that ran before this one has stored about jumps. Its parameter `at` is the
 * present moment, in milliseconds since 1970.
 */
export function createClockTrust(
  kv: Kv,
  { now, monotonic, log }: Pick<Runtime, "now" | "monotonic" | "log">,
): (at: number) => Promise<boolean> {
  const jumpOf = watchJumps({ now, monotonic }, HOUR);
  let isFirstCall = true;
  /** The moment until which nobody is erased, on the monotonic clock. */
  let trustedFrom = monotonic();
  return async (at) => {
    // Reads the store before `jumpOf()` notes the jump, so that the jump is not lost if KV does not answer.
    const last = isFirstCall && await findValue<ExpiryClock>(kv, EXPIRY_CLOCK);
    isFirstCall = false;
    let jump = jumpOf();
    if (last) {
      trustedFrom = monotonic() + Math.min(last.heldUntil - at, DAY);
      const since = at - last.at;
      // More than a day since the last run may be a jump. A shorter jump erases people a day too early at most.
      if (since < -HOUR || since > DAY) jump = since;
    }
    if (jump !== 0) {
      trustedFrom = monotonic() + DAY;
      log.warn(
        "for a day, no unconfirmed people are erased or reminded, because the clock has jumped",
        {
          hours: Math.round(jump / HOUR),
        },
      );
    }
    const clock: ExpiryClock = { at, heldUntil: at + trustedFrom - monotonic() };
    await kv.commit(new Commit().set(EXPIRY_CLOCK, clock));
    return monotonic() >= trustedFrom;
  };
}
