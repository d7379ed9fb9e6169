/**
 * Works on the people who have not confirmed, by a timer: erases people whose time is over (`expire_people.ts`), and
 * reminds other people (`reminders.ts`). For a day after the clock has jumped, it erases and reminds nobody
 * (`clock_trust.ts`). @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { Kv } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { createClockTrust } from "./clock_trust.ts";
import { createPeopleExpiry } from "./expire_people.ts";
import { createReminders } from "./reminders.ts";

/** The time between two runs, in milliseconds. */
const EXPIRY_MS = 60_000;

/** What the work on people who have not confirmed needs. */
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
  const checkClock = createClockTrust(kv, { now, monotonic, log });
  const expirePeople = createPeopleExpiry({ kv, outbox, days: unconfirmedDays });
  const sendReminders = remindAfterDays === undefined
    ? undefined
    : createReminders({ kv, outbox, monotonic, days: remindAfterDays });

  async function run(): Promise<void> {
    try {
      // Reads the present moment before the look for jumps, so that a jump between these two steps is noticed.
      const moment = now();
      const isClockTrusted = await checkClock(moment);
      if (!isClockTrusted) return;
      const erased = await expirePeople(moment, signal);
      if (erased > 0) {
        log.info("people who did not confirm in time were erased", { people: erased });
      }
      await sendReminders?.(moment, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn("could not erase or remind unconfirmed people; will do so later", {
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
