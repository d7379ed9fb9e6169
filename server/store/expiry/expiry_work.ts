/**
 * Works on the people who have not confirmed, by a timer: erases people whose time is over (`expire_people.ts`), and
 * reminds others. For a day after the clock has jumped, it does neither (`clock_trust.ts`). @module
 */
import { DAY, type Runtime } from "../../runtime/mod.ts";
import { isRestoring } from "../backup/mod.ts";
import { addressesOf, expirySelector, type Kv, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { remindPeople } from "../people/mod.ts";
import { createClockTrust } from "./clock_trust.ts";
import { createPeopleExpiry } from "./expire_people.ts";

/** The time between two runs, in milliseconds. */
const EXPIRY_MS = 60_000;

interface ExpiryWorkOptions {
  kv: Kv;
  runtime: Omit<Runtime, "random">;
  outbox: OutboxOptions;
  /** `UNCONFIRMED_DAYS`: the number of days for which an unconfirmed person is kept. */
  unconfirmedDays: number;
  /** `REMIND_AFTER_DAYS`: the number of days after which an unconfirmed person is asked a second time to confirm. */
  remindAfterDays: number | undefined;
}

/** The work on people who have not confirmed. */
export interface ExpiryWork {
  /** Makes one run of the work, as the timer does. */
  run: () => Promise<void>;
  /** Ends the work after the page of people that is under way. */
  close: () => Promise<void>;
}

/** Starts the work by a timer. */
export function startExpiry(
  { kv, runtime, outbox, unconfirmedDays, remindAfterDays }: ExpiryWorkOptions,
): ExpiryWork {
  const { now, monotonic, log, repeat } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isClockTrusted = createClockTrust(kv, { now, monotonic, log });
  const expirePeople = createPeopleExpiry({ kv, outbox, days: unconfirmedDays });
  const remindOthers = remindAfterDays === undefined
    ? undefined
    : createReminders({ kv, outbox, monotonic, days: remindAfterDays });

  async function run(): Promise<void> {
    try {
      // Reads the present moment before it looks for jumps, so that no jump comes between the two.
      const moment = now();
      if (!await isClockTrusted(moment)) return;
      const people = await expirePeople(moment, signal);
      if (people > 0) log.info("unconfirmed people were erased", { people });
      await remindOthers?.(moment, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn("could not erase or remind unconfirmed people; will try again", {
        error: (error as Error).message,
      });
    }
  }

  const timer = repeat(EXPIRY_MS, run);
  return {
    run,
    close() {
      stopping.abort();
      return timer.close();
    },
  };
}

interface RemindersOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  outbox: OutboxOptions;
  /** `REMIND_AFTER_DAYS`. */
  days: number;
}

/**
 * Makes the function that sends one reminder, within the letter limits, to each person who was asked to confirm and has
 * not done so. The parameter `now` of this function is the present moment, in milliseconds since 1970.
 */
function createReminders(
  { kv, outbox, monotonic, days }: RemindersOptions,
): (now: number, signal: AbortSignal) => Promise<void> {
  /**
   * A date-time. People whose confirmation letter was taken before this moment have already been reminded, or may not
   * be reminded now.
   */
  let remindedUntil = "";
  /** When `remindedUntil` was last set back to the beginning, on the monotonic clock. */
  let rewoundAt = monotonic();

  return async (now, signal) => {
    if (await isRestoring(kv)) return;
    // Adds a millisecond to the last moment that counts, because a range leaves out its end.
    const before = new Date(now - days * DAY + 1).toISOString();
    // A clock that was ahead may have set `remindedUntil` to a moment that is too late.
    if (remindedUntil > before) remindedUntil = before;
    if (monotonic() - rewoundAt >= DAY) {
      // Begins again with everybody, because a letter limit that refused a reminder may allow it now.
      remindedUntil = "";
      rewoundAt = monotonic();
    }
    for await (const people of pages(kv, expirySelector(before, remindedUntil))) {
      const reminders = remindPeople({ kv, outbox, at: now, once: true }, addressesOf(people));
      for await (const _ of reminders) {
        if (signal.aborted) return;
      }
    }
    remindedUntil = before;
  };
}
