/**
 * Erases people whose time to confirm is over, and reminds others to confirm. It does neither for a day after the clock
 * has jumped (`clock_trust.ts`). `waitlist/transitions.ts` says when the time of a person is over; `sweep.ts` removes
 * everything else that is old. @module
 */
import { DAY, type Runtime } from "../../runtime/mod.ts";
import { expiryOf } from "../../waitlist/mod.ts";
import { isRestoring } from "../backup/mod.ts";
import {
  addressesOf,
  checksFor,
  expirySelector,
  type Key,
  type Kv,
  oldPeopleSelector,
  pages,
  personOf,
  readPage,
  type Selector,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { changePeople, PEOPLE_IN_COMMIT, remindPeople } from "../people/mod.ts";
import { createClockTrust } from "./clock_trust.ts";
export { startSweep } from "./sweep.ts";

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
  const cursor = {};
  const isClockTrusted = createClockTrust(kv, { now, monotonic, log });
  /**
   * A date-time. People whose confirmation letter was taken before this moment have been reminded already, or must not
   * be reminded.
   */
  let remindedUntil = "";
  /** When `remindedUntil` was last set back to the beginning, on the monotonic clock. */
  let rewoundAt = monotonic();

  /** Sends one reminder, within the letter limits, to each person who was asked to confirm and has not done so. */
  async function remind(days: number, at: number): Promise<void> {
    if (await isRestoring(kv)) return;
    const before = new Date(at - days * DAY + 1).toISOString();
    // A clock that was ahead may have set `remindedUntil` to a moment that is too late.
    if (remindedUntil > before) remindedUntil = before;
    if (monotonic() - rewoundAt >= DAY) {
      // Begins again with everybody, because a letter limit that refused a reminder may allow it now.
      remindedUntil = "";
      rewoundAt = monotonic();
    }
    for await (const people of pages(kv, expirySelector(before, remindedUntil))) {
      const reminders = remindPeople({ kv, outbox, at, once: true }, addressesOf(people));
      for await (const _ of reminders) {
        if (signal.aborted) return;
      }
    }
    remindedUntil = before;
  }

  async function run(): Promise<void> {
    try {
      // Reads the present moment before it looks for jumps, so that no jump comes between the two.
      const at = now();
      if (!await isClockTrusted(at)) return;
      const people = await expirePeople(kv, {
        days: unconfirmedDays,
        now: at,
        outbox,
        cursor,
        signal,
      });
      if (people > 0) log.info("unconfirmed people were erased", { people });
      if (remindAfterDays !== undefined) await remind(remindAfterDays, at);
    } catch (error) {
      if (signal.aborted) return;
      log.warn("could not erase or remind unconfirmed people; will try again", {
        error: (error as Error).message,
      });
    }
  }

  const work = repeat(EXPIRY_MS, run);
  return {
    run,
    close() {
      stopping.abort();
      return work.close();
    },
  };
}

/**
 * The most people whom a call may read without erasing them. Such people got a letter later than their first sign-up,
 * so their time is not over.
 */
const MAX_KEPT = 500;

interface ExpiryOptions {
  /** The number of days that a person has to confirm. */
  days: number;
  /** The present moment, in milliseconds since 1970. */
  now: number;
  outbox: OutboxOptions;
  /**
   * The position in the list of unconfirmed people at which the next call goes on. Without it, each call begins with
   * the oldest person.
   */
  cursor?: { after?: Key | undefined };
  /** Ends the work between two pages. */
  signal: AbortSignal;
}

/** The result of one page of people. */
interface ExpiredPage {
  /** The number of people who were erased. */
  erased: number;
  /** The last key of the page; `undefined` if the list has ended, or if a restore is under way. */
  last: Key | undefined;
}

/**
 * Erases people whose time to confirm is over, and leaves no erasure marks. It erases nobody while a restore is under
 * way. Several processes may do this work at the same time.
 *
 * The time of a person begins when a mail server takes the confirmation letter; the list of these people is in the
 * order of these moments. The time of all other people begins with the first sign-up or later, so they are found in
 * the list of unconfirmed people.
 * @returns the number of erased people
 */
export async function expirePeople(
  kv: Kv,
  { days, now, outbox, cursor = {}, signal }: ExpiryOptions,
): Promise<number> {
  const limit = Math.min(checksFor(kv), PEOPLE_IN_COMMIT);
  // Adds a millisecond to the last moment that counts, because a range leaves out its end.
  const before = new Date(now - days * DAY + 1).toISOString();

  /** Erases the people on a page whose time is over. */
  async function expirePage(list: Selector, after?: Key): Promise<ExpiredPage> {
    const entries = await readPage(kv, { ...list, ...after && { after } }, { limit });
    // Looks for a restore after the list is read, so that a restore whose people are in the list is noticed.
    if (await isRestoring(kv)) return { erased: 0, last: undefined };
    let erased = 0;
    const leaving = changePeople({ kv, outbox }, addressesOf(entries), (record) => {
      const outcome = record !== undefined && (expiryOf(record, days) ?? Infinity) <= now;
      return { outcome, ...outcome && { change: { leaves: "expired", at: now } } };
    });
    for await (const outcomes of leaving) {
      erased += outcomes.filter(({ outcome }) => outcome === true).length;
    }
    return { erased, last: entries.length < limit ? undefined : entries.at(-1)!.key };
  }

  let erased = 0;
  let after: Key | undefined;
  do {
    const page = await expirePage(expirySelector(before), after);
    erased += page.erased;
    after = page.last;
  } while (after && !signal.aborted);
  // Begins with the oldest person again if the range ends before the cursor, as after a clock was set back.
  if (cursor.after && personOf(cursor.after).createdAt >= before) cursor.after = undefined;
  for (let kept = 0; kept < MAX_KEPT && !signal.aborted;) {
    const page = await expirePage(oldPeopleSelector("unconfirmed", before), cursor.after);
    erased += page.erased;
    cursor.after = page.last;
    if (!page.last) break;
    kept += limit - page.erased;
  }
  return erased;
}
