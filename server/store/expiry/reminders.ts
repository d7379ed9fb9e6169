/** Reminds people who have not confirmed, once each. `waitlist/` decides who may get a reminder. @module */
import { DAY, type Runtime } from "../../runtime/mod.ts";
import { isRestoring } from "../backup/mod.ts";
import { addressesOf, expirySelector, type Kv, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { remindPeople } from "../people/mod.ts";

/** What the reminders need. */
interface RemindersOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  outbox: OutboxOptions;
  /** `REMIND_AFTER_DAYS`: the number of days after which an unconfirmed person is asked a second time to confirm. */
  days: number;
}

/**
 * Makes the function that sends one reminder, within the letter limits, to each person who was asked to confirm and has
 * not done so. The parameter `now` of this function is the present moment, in milliseconds since 1970.
 */
export function createReminders(
  { kv, outbox, monotonic, days }: RemindersOptions,
): (now: number, signal: AbortSignal) => Promise<void> {
  /**
   * A date-time. People whose confirmation letter was taken before this moment have already been reminded, or may not
   * be reminded now.
   */
  let remindedUntil = "";
  /** When the reminders last began again with everybody, on the monotonic clock. */
  let beganAgainAt = monotonic();

  return async (now, signal) => {
    if (await isRestoring(kv)) return;
    // Adds a millisecond to the last moment that counts, because a range leaves out its end.
    const before = new Date(now - days * DAY + 1).toISOString();
    // A clock that was ahead may have set `remindedUntil` to a moment that is too late.
    if (remindedUntil > before) remindedUntil = before;
    if (monotonic() - beganAgainAt >= DAY) {
      // Begins again with everybody, because a letter limit that refused a reminder may allow it now.
      remindedUntil = "";
      beganAgainAt = monotonic();
    }
    for await (const people of pages(kv, expirySelector(before, remindedUntil))) {
      const reminders = remindPeople({ kv, outbox, now, remindsOnce: true }, addressesOf(people));
      for await (const _ of reminders) {
        if (signal.aborted) return;
      }
    }
    remindedUntil = before;
  };
}
