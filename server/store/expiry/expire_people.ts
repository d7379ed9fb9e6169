/**
 * Erases people whose time to confirm is over. `waitlist/expiry.ts` says when the time of a person is over.
 * @module
 */
import { DAY } from "../../runtime/mod.ts";
import { expiryOf } from "../../waitlist/mod.ts";
import { isRestoring } from "../backup/mod.ts";
import {
  addressesOf,
  expirySelector,
  type Key,
  type Kv,
  oldPeopleSelector,
  personOf,
  readPage,
  type Selector,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { changePeople, maxPeopleInCommit } from "../people/mod.ts";

/**
 * How many people a call reads at most from the list of unconfirmed people without erasing them. The call then ends, so
 * that the call does not take long. The time of these people is not over, because it began later than their sign-up.
 */
const MAX_NOT_ERASED = 500;

/** What the erasure of expired people needs. */
interface PeopleExpiryOptions {
  kv: Kv;
  outbox: OutboxOptions;
  /** The number of days that a person has to confirm. */
  days: number;
}

/** The outcome of one page of the list: how many people were erased, and where the next page begins. */
interface PageOutcome {
  erasedCount: number;
  /** The key after which the next page begins; `undefined` if the list has ended, or if a restore is under way. */
  nextAfter: Key | undefined;
}

/** One call of the function that erases people. */
interface ExpiryRun {
  /**
   * A date-time. A person is erased only if the last confirmation letter was taken before this moment or, without such a
   * letter, if the person signed up before this moment, because the others still have time to confirm.
   */
  before: string;
  /** The present moment, in milliseconds since 1970. */
  now: number;
  /** Ends the work between two pages. */
  signal: AbortSignal;
}

/**
 * Erases people, and leaves no erasure marks. Several processes may do this at the same time.
 * @param now the present moment, in milliseconds since 1970
 * @param signal ends the work between two pages
 * @returns the number of erased people
 */
type ExpirePeople = (now: number, signal: AbortSignal) => Promise<number>;

/**
 * Makes the function that erases people whose time to confirm is over. The function erases nobody while a restore is
 * under way.
 *
 * If the confirmation letter to a person was taken, the person's time begins at that moment, and one list has such
 * people in the order of these moments. The time of any other person begins with the sign-up or later. These other
 * people are found in the list of unconfirmed people, which is in the order of the sign-ups.
 */
export function createPeopleExpiry(
  { kv, outbox, days }: PeopleExpiryOptions,
): ExpirePeople {
  const limit = maxPeopleInCommit(kv);
  /** The key in the list of unconfirmed people after which the next call goes on. */
  let cursor: Key | undefined;

  /** Reads a page of people, and erases the people whose time is over. */
  async function expirePage(
    selector: Selector,
    after: Key | undefined,
    now: number,
  ): Promise<PageOutcome> {
    const entries = await readPage(kv, { ...selector, ...after && { after } }, { limit });
    // Looks for a restore after the list is read, so that a restore whose people are in the list is noticed.
    if (await isRestoring(kv)) return { erasedCount: 0, nextAfter: undefined };
    let erasedCount = 0;
    const batches = changePeople({ kv, outbox }, addressesOf(entries), (record) => {
      const isExpired = record !== undefined && (expiryOf(record, days) ?? Infinity) <= now;
      if (!isExpired) return { outcome: "unchanged" };
      return { outcome: "erased", change: { leaves: "expired", at: now } };
    });
    for await (const outcomes of batches) {
      erasedCount += outcomes.filter(({ outcome }) => outcome === "erased").length;
    }
    const hasEnded = entries.length < limit;
    return { erasedCount, nextAfter: hasEnded ? undefined : entries.at(-1)!.key };
  }

  /** Erases people whose time began when their confirmation letter was taken. */
  async function expireByLetters({ before, now, signal }: ExpiryRun): Promise<number> {
    let erasedCount = 0;
    let after: Key | undefined;
    do {
      const page = await expirePage(expirySelector(before), after, now);
      erasedCount += page.erasedCount;
      after = page.nextAfter;
    } while (after && !signal.aborted);
    return erasedCount;
  }

  /** Erases people whose time began with the sign-up or later. Goes on where the last call has ended. */
  async function expireBySignUps({ before, now, signal }: ExpiryRun): Promise<number> {
    let erasedCount = 0;
    // Begins with the oldest person again if the range ends before the cursor, as after a clock was set back.
    if (cursor && personOf(cursor).createdAt >= before) cursor = undefined;
    for (let notErased = 0; notErased < MAX_NOT_ERASED && !signal.aborted;) {
      const page = await expirePage(oldPeopleSelector("unconfirmed", before), cursor, now);
      erasedCount += page.erasedCount;
      cursor = page.nextAfter;
      if (!cursor) break;
      notErased += limit - page.erasedCount;
    }
    return erasedCount;
  }

  return async (now, signal) => {
    // Adds a millisecond to the last moment that counts, because a range leaves out its end.
    const before = new Date(now - days * DAY + 1).toISOString();
    const run: ExpiryRun = { before, now, signal };
    return await expireByLetters(run) + await expireBySignUps(run);
  };
}
