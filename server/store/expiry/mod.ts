/**
 * Erases people whose time to confirm is over; not for a day after the clock has jumped, as a clock that is days ahead
 * for a minute would erase people who still have time. @module
 */
import { DAY, HOUR, type Runtime, watchJumps } from "../../runtime/mod.ts";
import { expiryOf } from "../../waitlist/mod.ts";
import { isRestoring } from "../backup/mod.ts";
import { addressesOf, checksFor, Commit, EXPIRY_CLOCK, expirySelector } from "../kv/mod.ts";
import { findValue, oldPeopleSelector, pages, readPage } from "../kv/mod.ts";
import type { Key, Kv, Selector } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { changePeople, PEOPLE_IN_COMMIT, remindPeople } from "../people/mod.ts";
export { startSweep } from "./sweep.ts";

const EXPIRY_MS = 60_000;

/** What the clock said when people were last erased, for a process that starts; milliseconds since 1970. */
export interface ExpiryClock {
  at: number;
  /** Nobody is erased before, as the clock had jumped. */
  heldUntil: number;
}

export function startExpiry(
  { kv, runtime, outbox, unconfirmedDays, remindAfterDays }: {
    kv: Kv;
    runtime: Omit<Runtime, "random">;
    outbox: OutboxOptions;
    /** `UNCONFIRMED_DAYS`: how many days an unconfirmed person is kept. */
    unconfirmedDays: number;
    /** `REMIND_AFTER_DAYS`: after how many days an unconfirmed person is asked once more. */
    remindAfterDays: number | undefined;
  },
) {
  const { now, monotonic, log, repeat } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const cursor = {};
  const jumpOf = watchJumps(runtime, HOUR);
  let isStart = true;
  /** Whose letter was taken before this moment was reminded, or is not to be. */
  let remindedUntil = "";
  /** When `remindedUntil` was last set back to the beginning, on the monotonic clock. */
  let rewoundAt = monotonic();
  /** On the monotonic clock. */
  let heldUntil = monotonic();

  /** Whether the clock has been right for a day, as far as this process and the last one can know. */
  async function isTrusted(at: number): Promise<boolean> {
    // Read first, so that a jump is not lost where KV does not answer.
    const last = isStart && await findValue<ExpiryClock>(kv, EXPIRY_CLOCK);
    isStart = false;
    let jump = jumpOf();
    if (last) {
      heldUntil = monotonic() + Math.min(last.heldUntil - at, DAY);
      const since = at - last.at;
      // The service may have been off for a while; a clock that is a day ahead erases a day too early at most.
      if (since < -HOUR || since > DAY) jump = since;
    }
    if (jump !== 0) {
      heldUntil = monotonic() + DAY;
      log.warn("unconfirmed people are kept for a day, as the clock has jumped", {
        hours: Math.round(jump / HOUR),
      });
    }
    const clock: ExpiryClock = { at, heldUntil: at + heldUntil - monotonic() };
    await kv.commit(new Commit().set(EXPIRY_CLOCK, clock));
    return monotonic() >= heldUntil;
  }

  /** Asks once more, within the letter limits, who was asked once and has not confirmed. */
  async function remind(days: number, at: number): Promise<void> {
    if (await isRestoring(kv)) return;
    const before = new Date(at - days * DAY + 1).toISOString();
    // The clock may have been ahead.
    if (remindedUntil > before) remindedUntil = before;
    if (monotonic() - rewoundAt >= DAY) {
      // A letter limit that has held letters back may let them through now.
      remindedUntil = "";
      rewoundAt = monotonic();
    }
    for await (const taken of pages(kv, expirySelector(before, remindedUntil))) {
      const people = remindPeople({ kv, outbox, at, once: true }, addressesOf(taken));
      for await (const _ of people) {
        if (signal.aborted) return;
      }
    }
    remindedUntil = before;
  }

  async function run(): Promise<void> {
    try {
      // Read before the clock is looked at, so that it has not jumped since.
      const at = now();
      if (!await isTrusted(at)) return;
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
      log.warn("unconfirmed people are erased later, as KV did not answer", {
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

/** The most people whom a call reads in vain: many of old may have been sent a letter since. */
const MOST_KEPT = 500;

/**
 * Erases people whose time to confirm is over, without a mark, and gives how many; nobody while a restore is under
 * way. Several processes may do so at a time. A list has those whose letters the mail server took. Of all others, the
 * time begins with the sign-up or later, so they are found in the list of the unconfirmed.
 * @param signal ends the work between two commits
 */
export async function expirePeople(
  kv: Kv,
  { days, now, outbox, cursor = {}, signal }: {
    days: number;
    now: number;
    outbox: OutboxOptions;
    /** Where the next call goes on among those whose letters were not taken; without it, at the oldest of them. */
    cursor?: { after?: Key | undefined };
    signal: AbortSignal;
  },
): Promise<number> {
  const limit = Math.min(checksFor(kv), PEOPLE_IN_COMMIT);
  // The end of a range is left out.
  const before = new Date(now - days * DAY + 1).toISOString();
  const [taken, old] = [expirySelector(before), oldPeopleSelector("unconfirmed", before)];
  let erased = 0;

  /** Gives the last key that it read, if the list goes on. */
  async function expireSome(list: Selector, after?: Key): Promise<Key | undefined> {
    const entries = await readPage(kv, { ...list, ...after && { after } }, { limit });
    // Read behind the list: a restore whose people are in the list is then found.
    if (await isRestoring(kv)) return undefined;
    const leaving = changePeople({ kv, outbox }, addressesOf(entries), (record) => {
      const outcome = record !== undefined && (expiryOf(record, days) ?? Infinity) <= now;
      return { outcome, ...outcome && { change: { leaves: "expired", at: now } } };
    });
    for await (const outcomes of leaving) {
      erased += outcomes.filter(({ outcome }) => outcome === true).length;
    }
    return entries.length < limit ? undefined : entries.at(-1)!.key;
  }

  let after: Key | undefined;
  do after = await expireSome(taken, after); while (after && !signal.aborted);
  // A clock that was set back ends the list before the cursor.
  if (String(cursor.after?.[2]) >= before) cursor.after = undefined;
  for (let kept = 0; kept < MOST_KEPT && !signal.aborted;) {
    const before = erased;
    cursor.after = await expireSome(old, cursor.after);
    if (!cursor.after) break;
    kept += limit - (erased - before);
  }
  return erased;
}
