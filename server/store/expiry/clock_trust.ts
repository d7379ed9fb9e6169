/**
 * Decides whether the clock can be trusted enough to erase people by it. A clock that is days ahead for a minute would
 * otherwise erase people who still have time, so nobody is erased for a day after the clock has jumped. @module
 */
import { DAY, HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { Commit, EXPIRY_CLOCK, findValue, type Kv } from "../kv/mod.ts";

/** The state that a process stores for the next process that is started. */
export interface ExpiryClock {
  /** The clock's time at the last run, in milliseconds since 1970. */
  at: number;
  /** The moment until which nobody is erased because the clock has jumped, in milliseconds since 1970. */
  heldUntil: number;
}

/**
 * Makes the function that says whether the clock can be trusted: the clock must not have jumped within the last day.
 * Each call stores the state of the clock for the next process. The first call also uses the state that the previous
 * process has stored. The parameter of the function is the present moment, in milliseconds since 1970.
 */
export function createClockTrust(
  kv: Kv,
  { now, monotonic, log }: Pick<Runtime, "now" | "monotonic" | "log">,
): (moment: number) => Promise<boolean> {
  const findJump = watchJumps({ now, monotonic }, HOUR);
  let isFirstCall = true;
  /** The moment from which people are erased, on the monotonic clock. */
  let trustedFrom = monotonic();
  return async (moment) => {
    // Reads the store before `findJump()` notes the jump, so that the jump is not lost if KV does not answer.
    const clockBefore = isFirstCall ? await findValue<ExpiryClock>(kv, EXPIRY_CLOCK) : undefined;
    isFirstCall = false;
    let jump = findJump();
    if (clockBefore) {
      trustedFrom = monotonic() + Math.min(clockBefore.heldUntil - moment, DAY);
      const sinceLastRun = moment - clockBefore.at;
      // If more than a day has passed since the last run, the clock may have jumped. A jump forward of less than a day is
      // not noticed here, and erases people a day too early at most.
      if (sinceLastRun < -HOUR || sinceLastRun > DAY) jump = sinceLastRun;
    }
    if (jump !== 0) {
      trustedFrom = monotonic() + DAY;
      log.warn(
        "for the next 24 hours, no unconfirmed person is erased or reminded, because the clock has jumped or the service " +
          "was down; 'jumpHours' is the length of this jump or outage in hours",
        { jumpHours: Math.round(jump / HOUR) },
      );
    }
    const heldUntil = moment + trustedFrom - monotonic();
    const clock: ExpiryClock = { at: moment, heldUntil };
    await kv.commit(new Commit().set(EXPIRY_CLOCK, clock));
    return monotonic() >= trustedFrom;
  };
}
