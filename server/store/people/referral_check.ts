/**
 * Checks and repairs the stored counts of referrals, and the list of people in the order of these counts
 * (`PEOPLE_BY_REFERRALS`). The stored counts and this list must agree with the list of referred people.
 * `referral_changes.ts` keeps the counts up to date, in the commits that change people. @module
 */
import {
  asReadable,
  Commit,
  commitChange,
  type Kv,
  type MaybeEntry,
  nameOf,
  pages,
  PEOPLE_BY_REFERRALS,
  peopleByReferralsKey,
  personByReferralsOf,
  readMany,
  REFERRED,
  referredSelector,
  referrerKey,
  REFERRERS,
  withPausesForRequests,
} from "../kv/mod.ts";
import { type Count, mergeCounts, type StoredCount, sumBySortKey } from "./merged_counts.ts";
import { findAddressOnList, type ReferredEntry } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/**
 * A referring person whose stored count of referrals differs from the list of referred people, or whom
 * `PEOPLE_BY_REFERRALS` lists at a wrong count.
 */
export interface ReferralDifference {
  /** The id of the record of the referring person. */
  id: string;
  /** The stored count; 0 if there is no entry, or if the entry cannot be read. */
  storedCount: number;
  recounted: number;
}

/**
 * A referring person whose referrals must be counted again. A difference between two lists may be no fault, because
 * people may have changed between the reads of these lists.
 */
interface Suspect {
  /** The id of the record of the referring person. */
  id: string;
  /** A count of referrals at which `PEOPLE_BY_REFERRALS` lists the person, although the stored count is different. */
  wronglyListedCount?: number;
}

/**
 * Compares the stored counts of referrals with the list of referred people, and repairs the counts. Reads each list
 * once and keeps only the differences in memory, because the lists are in the same order.
 * @param options.repairs whether a wrong count is corrected
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the people whose stored count, or whose entry in `PEOPLE_BY_REFERRALS`, was wrong
 */
export async function* checkReferrals(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, ReferralDifference[]> {
  /** The first difference that was found for each person, because a repair may take several steps. */
  const differences = new Map<string, ReferralDifference>();
  for (const findSuspects of [findWrongCounts, findWrongListEntries]) {
    for await (const suspects of findSuspects(kv)) {
      for (const suspect of suspects) {
        const difference = await recountReferrals(kv, suspect, repairs);
        if (difference && !differences.has(suspect.id)) differences.set(suspect.id, difference);
      }
      yield progress;
    }
    yield progress;
  }
  return [...differences.values()];
}

/**
 * Compares the stored counts with the list of referred people. Yields, one at a time, each person whose stored count
 * differs from the number of referrals in the list.
 */
async function* findWrongCounts(kv: Kv): AsyncGenerator<Suspect[]> {
  const pairs = mergeCounts(readStoredCounts(kv), sumBySortKey(readCountedReferrals(kv)));
  for await (const { sortKey: id, storedCount, recounted } of pairs) {
    if (storedCount !== recounted) yield [{ id }];
  }
}

/**
 * Reads `PEOPLE_BY_REFERRALS` page by page. Yields the people whose count in this list differs from the stored count.
 */
async function* findWrongListEntries(kv: Kv): AsyncGenerator<Suspect[]> {
  for await (const page of withPausesForRequests(pages(kv, PEOPLE_BY_REFERRALS))) {
    const listed = page.map(({ key }) => personByReferralsOf(key));
    const entries = await readMany<StoredReferrer>(kv, listed.map(({ id }) => referrerKey(id)));
    yield listed
      .filter(({ referrals }, index) => entries[index]?.value?.referrals !== referrals)
      .map(({ id, referrals }) => ({ id, wronglyListedCount: referrals }));
  }
}

/**
 * Reads the stored counts in the order of ids. A count above 0 is taken as unreadable if the person is not in
 * `PEOPLE_BY_REFERRALS` at this count.
 */
async function* readStoredCounts(kv: Kv): AsyncGenerator<StoredCount<string>> {
  for await (const page of withPausesForRequests(pages<StoredReferrer>(kv, REFERRERS))) {
    const referrers = page.map((entry) => ({
      id: nameOf(entry.key),
      referrals: asReadable(entry)?.value.referrals,
    }));
    const listEntries = await readMany(
      kv,
      referrers.map(({ id, referrals = 0 }) => peopleByReferralsKey(referrals, id)),
    );
    for (const [index, { id, referrals }] of referrers.entries()) {
      const isListed = referrals === 0 || listEntries[index]?.value === true;
      yield { sortKey: id, count: isListed ? referrals : undefined };
    }
  }
}

/** Reads the referrals that count, in the order of the ids of the referring people. Each referral counts 1. */
async function* readCountedReferrals(kv: Kv): AsyncGenerator<Count<string>[]> {
  for await (const page of withPausesForRequests(pages<ReferredEntry>(kv, REFERRED))) {
    yield page.flatMap((entry) =>
      asReadable(entry)?.value.counts ? [{ sortKey: String(entry.key[1]), count: 1 }] : []
    );
  }
}

/** How many times the referrals of a person are counted at most, if the stored count changes during each attempt. */
const MAX_ATTEMPTS = 20;

/**
 * Counts the referrals of a person whose stored count may be wrong, and repairs the count if `repairs` is set.
 * @returns `undefined` if the stored count is right, or if it changed during every attempt; the next check then
 * compares the count again
 */
function recountReferrals(
  kv: Kv,
  suspect: Suspect,
  repairs: boolean,
): Promise<ReferralDifference | undefined> {
  let attempts = 0;
  return commitChange<ReferralDifference | undefined>(kv, async () => {
    attempts++;
    if (attempts > MAX_ATTEMPTS) return { result: () => undefined };
    const state = await readReferralState(kv, suspect);
    // If the stored count has changed during the reads, gives `undefined`, so that `commitChange()` begins again.
    if (!state) return undefined;
    const { entry, storedCount, recounted, isListedRight } = state;
    if (entry && storedCount === recounted && isListedRight) return { result: () => undefined };
    const difference = { id: suspect.id, storedCount, recounted };
    return { ...repairs && { commit: repairOf(suspect, state) }, result: () => difference };
  });
}

/** What the store has about the referrals of a person at one moment. */
interface ReferralState {
  /** The entry with the stored count; `undefined` if it cannot be read. */
  entry: MaybeEntry<StoredReferrer> | undefined;
  /** The stored count; 0 if there is no entry, or if the entry cannot be read. */
  storedCount: number;
  /** The number of referrals that count; 0 for a person who is not on the list, because such a person has no count. */
  recounted: number;
  isOnList: boolean;
  /**
   * Whether `PEOPLE_BY_REFERRALS` lists the person at the stored count, and not at the suspect's `wronglyListedCount`.
   */
  isListedRight: boolean;
}

/**
 * Counts the referrals of a person between two reads of the entry with the stored count. If the entry has the same
 * version in both reads, the referrals have not changed meanwhile, because every change of a referral that counts
 * writes this entry.
 * @returns `undefined` if the entry has changed meanwhile
 */
async function readReferralState(
  kv: Kv,
  suspect: Suspect,
): Promise<ReferralState | undefined> {
  const { id } = suspect;
  const [before] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  const storedCount = before?.value?.referrals ?? 0;
  const isOnList = await findAddressOnList(kv, id) !== undefined;
  const recounted = isOnList ? await countReferrals(kv, id) : 0;
  const isListedRight = await isListedOnlyAt(kv, storedCount, suspect);
  const [entry] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  if (before?.version !== entry?.version) return undefined;
  return { entry, storedCount, recounted, isOnList, isListedRight };
}

/** Counts, in the list of referred people, the people whom a person has referred and whose referral counts. */
async function countReferrals(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const page of pages<ReferredEntry>(kv, referredSelector(id))) {
    count += page.filter((entry) => asReadable(entry)?.value.counts).length;
  }
  return count;
}

/** Whether `PEOPLE_BY_REFERRALS` lists a person at the stored count, and not at the suspect's `wronglyListedCount`. */
async function isListedOnlyAt(
  kv: Kv,
  storedCount: number,
  { id, wronglyListedCount = storedCount }: Suspect,
): Promise<boolean> {
  const listKeys = [storedCount, wronglyListedCount].map((count) =>
    peopleByReferralsKey(count, id)
  );
  const [rightEntry, wrongEntry] = await readMany(kv, listKeys);
  const isListed = storedCount === 0 || rightEntry?.value === true;
  const isWronglyListed = wronglyListedCount !== storedCount && wrongEntry?.version !== null;
  return isListed && !isWronglyListed;
}

/** Makes the commit that stores the right count, and lists the person at this count only. */
function repairOf(
  { id, wronglyListedCount = 0 }: Suspect,
  { entry, storedCount, recounted, isOnList }: ReferralState,
): Commit {
  const commit = new Commit();
  // An entry that cannot be read has no version that a commit could check, so it is overwritten without a check. If two
  // processes repair the count at the same moment, the next check compares it again.
  if (entry) commit.check(entry);
  for (const count of [storedCount, wronglyListedCount]) {
    if (count > 0) commit.delete(peopleByReferralsKey(count, id));
  }
  if (recounted > 0) commit.set(peopleByReferralsKey(recounted, id), true);
  const value: StoredReferrer = { ...entry?.value, referrals: recounted };
  // As in `referral_changes.ts`, the entry of a person on the list stays if the count is above 0, or if the entry has
  // the day of the last confirmation that counted.
  const hasEntry = isOnList && (recounted > 0 || value.day !== undefined);
  if (hasEntry) commit.set(referrerKey(id), value);
  else commit.delete(referrerKey(id));
  return commit;
}

/**
 * Removes the stored count of referrals of each referring person who is not on the list. Such counts come from a
 * restore: a backup can have people who were referred by an erased person, and the restore counts these referrals,
 * because the line of the referring person could still come. Yields after each page.
 */
export async function* removeAbsentReferrers(kv: Kv): AsyncGenerator<void> {
  for await (const page of withPausesForRequests(pages<StoredReferrer>(kv, REFERRERS))) {
    for (const entry of page) {
      const id = nameOf(entry.key);
      const readable = asReadable(entry);
      if (!readable || await findAddressOnList(kv, id) !== undefined) continue;
      const { referrals } = readable.value;
      const commit = new Commit().check(readable).delete(entry.key);
      await kv.commit(commit.delete(peopleByReferralsKey(referrals, id)));
    }
    yield;
  }
}
