/**
 * Checks and repairs the stored numbers of referrals, and the list of people in the order of these numbers
 * (`PEOPLE_BY_REFERRALS`). Both must agree with the list of referred people. `referral_changes.ts` keeps the numbers up
 * to date, in the commits that change people. @module
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
import { type Count, mergeCounts, sumByPlace } from "./merged_counts.ts";
import { findAddressOnList, type ReferredEntry } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/**
 * A person whose stored number of referrals differs from the list of referred people, or whom `PEOPLE_BY_REFERRALS` lists
 * wrongly.
 */
export interface ReferralDifference {
  /** The id of the record of the referring person. */
  id: string;
  /** The stored number; 0 if there is no entry, or if the entry cannot be read. */
  kept: number;
  recounted: number;
}

/**
 * A person whose number of referrals must be counted again. A difference between two lists may be no fault, because
 * people may have changed between the two reads.
 */
interface Suspect {
  /** The id of the record of the referring person. */
  id: string;
  /** A number at which `PEOPLE_BY_REFERRALS` lists the person, although the stored number is different. */
  listedAt?: number;
}

/**
 * Compares the stored numbers of referrals with the list of referred people, and repairs them. It reads each list once
 * and keeps only the differences in memory, because the lists are in the same order.
 * @param options.repairs whether a wrong number gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the people whose stored number, or whose entry in `PEOPLE_BY_REFERRALS`, was wrong
 */
export async function* checkReferrals(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, ReferralDifference[]> {
  /** The first difference that was found for each person, because a repair may take several steps. */
  const differences = new Map<string, ReferralDifference>();
  for (const findSuspects of [findSuspectsByCounts, findSuspectsByOrder]) {
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
 * Compares the stored numbers with the list of referred people. Yields, one at a time, each person whose stored number
 * differs from the number of referrals in the list.
 */
async function* findSuspectsByCounts(kv: Kv): AsyncGenerator<Suspect[]> {
  const counts = mergeCounts(readKeptCounts(kv), sumByPlace(readReferrers(kv)));
  for await (const { place: id, kept, recounted } of counts) {
    if (kept !== recounted) yield [{ id }];
  }
}

/** Reads `PEOPLE_BY_REFERRALS` page by page, and yields the people whom it lists at another number than the stored number. */
async function* findSuspectsByOrder(kv: Kv): AsyncGenerator<Suspect[]> {
  for await (const page of withPausesForRequests(pages(kv, PEOPLE_BY_REFERRALS))) {
    const listed = page.map(({ key }) => personByReferralsOf(key));
    const entries = await readMany<StoredReferrer>(kv, listed.map(({ id }) => referrerKey(id)));
    yield listed
      .filter(({ referrals }, index) => entries[index]?.value?.referrals !== referrals)
      .map(({ id, referrals }) => ({ id, listedAt: referrals }));
  }
}

/**
 * Reads the stored numbers in the order of ids. A number above 0 counts as unreadable if its entry in `PEOPLE_BY_REFERRALS` is
 * missing.
 */
async function* readKeptCounts(kv: Kv): AsyncGenerator<Count<string>> {
  for await (const page of withPausesForRequests(pages<StoredReferrer>(kv, REFERRERS))) {
    const stored = page.map((entry) => ({
      id: nameOf(entry.key),
      referrals: asReadable(entry)?.value.referrals,
    }));
    const listed = await readMany(
      kv,
      stored.map(({ id, referrals = 0 }) => peopleByReferralsKey(referrals, id)),
    );
    for (const [index, { id, referrals }] of stored.entries()) {
      const isListed = referrals === 0 || listed[index]?.value === true;
      yield { place: id, count: isListed ? referrals : undefined };
    }
  }
}

/**
 * Reads the id of the referring person of each referral that counts, in the order of ids. A person with several such
 * referrals is given several times.
 */
async function* readReferrers(kv: Kv): AsyncGenerator<{ place: string; count: number }[]> {
  for await (const page of withPausesForRequests(pages<ReferredEntry>(kv, REFERRED))) {
    yield page.flatMap((entry) =>
      asReadable(entry)?.value.counts ? [{ place: String(entry.key[1]), count: 1 }] : []
    );
  }
}

/** How many times the referrals of a person are counted at most, if commits change the number during each count. */
const MAX_ATTEMPTS = 20;

/**
 * Counts the referrals of a suspect again, and repairs the stored number if `repairs` is set.
 * @returns `undefined` if the number is right, or if it changed during every attempt; the next check then compares it
 * again
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
    // If the number has changed during the reads, gives `undefined`, so that `commitChange()` begins again.
    if (!state) return undefined;
    const { entry, kept, recounted, isListedRight } = state;
    if (entry && kept === recounted && isListedRight) return { result: () => undefined };
    const difference = { id: suspect.id, kept, recounted };
    return { ...repairs && { commit: repairOf(suspect, state) }, result: () => difference };
  });
}

/** What the store has about the referrals of a person at one moment. */
interface ReferralState {
  /** The entry with the stored number; `undefined` if it cannot be read. */
  entry: MaybeEntry<StoredReferrer> | undefined;
  /** The stored number; 0 if there is no entry, or if the entry cannot be read. */
  kept: number;
  /** The number of referrals that count; 0 for a person who is not on the list, and so has no number. */
  recounted: number;
  isOnList: boolean;
  /** Whether `PEOPLE_BY_REFERRALS` has the person at the stored number, and not at the number `listedAt` of the suspect. */
  isListedRight: boolean;
}

/**
 * Counts the referrals of a person between two reads of the entry with the stored number. If the entry has the same
 * version in both reads, the referrals have not changed meanwhile, because every change of a referral that counts
 * writes this entry.
 * @returns `undefined` if the entry has changed meanwhile
 */
async function readReferralState(
  kv: Kv,
  { id, listedAt }: Suspect,
): Promise<ReferralState | undefined> {
  const [before] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  const kept = before?.value?.referrals ?? 0;
  const isOnList = await findAddressOnList(kv, id) !== undefined;
  let countedReferrals = 0;
  for await (const page of pages<ReferredEntry>(kv, referredSelector(id))) {
    countedReferrals += page.filter((entry) => asReadable(entry)?.value.counts).length;
  }
  const keys = [kept, listedAt ?? kept].map((number) => peopleByReferralsKey(number, id));
  const [listedAtKept, listedElsewhere] = await readMany(kv, keys);
  const [entry] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  if (before?.version !== entry?.version) return undefined;
  const isListedAtKept = kept === 0 || listedAtKept?.value === true;
  const isListedElsewhere = listedAt !== undefined && listedAt !== kept &&
    listedElsewhere?.version !== null;
  return {
    entry,
    kept,
    recounted: isOnList ? countedReferrals : 0,
    isOnList,
    isListedRight: isListedAtKept && !isListedElsewhere,
  };
}

/** Makes the commit that stores the counted number, and lists the person at this number only. */
function repairOf(
  { id, listedAt = 0 }: Suspect,
  { entry, kept, recounted, isOnList }: ReferralState,
): Commit {
  const commit = new Commit();
  // An entry that cannot be read has no version that a commit could check, so it is overwritten without a check. If two
  // processes repair the number at the same moment, the next check compares it again.
  if (entry) commit.check(entry);
  for (const number of [kept, listedAt]) {
    if (number > 0) commit.delete(peopleByReferralsKey(number, id));
  }
  if (recounted > 0) commit.set(peopleByReferralsKey(recounted, id), true);
  const value: StoredReferrer = { ...entry?.value, referrals: recounted };
  // As in `referral_changes.ts`, the entry of a person on the list stays if the number is above 0, or if the entry has
  // the day of the last confirmation that counted.
  const hasEntry = isOnList && (recounted > 0 || value.day !== undefined);
  if (hasEntry) commit.set(referrerKey(id), value);
  else commit.delete(referrerKey(id));
  return commit;
}
