/**
 * Compares the stored numbers of referrals with the list of referred people, and repairs the numbers.
 * `referral_changes.ts` keeps these numbers up to date, in the commits that change people. @module
 */
import {
  BY_REFERRALS,
  byReferralsKey,
  byReferralsOf,
  Commit,
  type Kv,
  nameOf,
  pages,
  readable,
  readMany,
  REFERRED,
  referredSelector,
  referrerKey,
  REFERRERS,
} from "../kv/mod.ts";
import { type Count, mergeCounts, sumByPlace } from "./merged_counts.ts";
import { findPersonById, type ReferredEntry } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/** A person whose stored number of referrals differs from the list of referred people. */
export interface ReferralDifference {
  /** The id of the record of the referring person. */
  id: string;
  kept: number;
  recounted: number;
}

/**
 * Compares the stored numbers of referrals with the list of referred people, in constant memory: both are read in the
 * order of the referring people's ids. A number that differs is recounted, because people may have changed between
 * the two reads.
 * @param options.repairs whether a wrong number gets the right count
 * @param options.progress the number of records that the caller has counted; it is yielded while the work goes on
 * @returns the people whose number was wrong
 */
export async function* checkReferrals(
  kv: Kv,
  { repairs, progress }: { repairs: boolean; progress: number },
): AsyncGenerator<number, ReferralDifference[]> {
  const suspects = new Set<string>();
  for await (const pair of mergeCounts(keptCounts(kv), sumByPlace(referrersOfPeople(kv)))) {
    if (pair.kept !== pair.recounted) suspects.add(pair.place);
  }
  yield progress;
  for await (const page of pages(kv, BY_REFERRALS)) {
    const numbers = page.map(({ key }) => byReferralsOf(key));
    const entries = await readMany<StoredReferrer>(kv, numbers.map(({ id }) => referrerKey(id)));
    for (const [index, { id, referrals }] of numbers.entries()) {
      if (entries[index]?.value?.referrals !== referrals) suspects.add(id);
    }
    yield progress;
  }
  const differences: ReferralDifference[] = [];
  for (const id of suspects) {
    const difference = await recountReferrals(kv, id, repairs);
    if (difference) differences.push(difference);
    yield progress;
  }
  return differences;
}

/**
 * Reads the stored numbers in the order of ids. A number counts as unreadable if its entry in `BY_REFERRALS` is
 * missing.
 */
async function* keptCounts(kv: Kv): AsyncGenerator<Count<string>> {
  for await (const page of pages<StoredReferrer>(kv, REFERRERS)) {
    const numbers = page.map((entry) => ({
      place: nameOf(entry.key),
      count: readable(entry)?.value.referrals,
    }));
    const places = await readMany(
      kv,
      numbers.map(({ place, count = 0 }) => byReferralsKey(count, place)),
    );
    for (const [index, { place, count }] of numbers.entries()) {
      const isInOrder = count === 0 || places[index]?.value === true;
      yield { place, count: isInOrder ? count : undefined };
    }
  }
}

/**
 * Reads the id of the referring person of each referral that counts, in the order of ids. A person with several such
 * referrals comes several times.
 */
async function* referrersOfPeople(kv: Kv): AsyncGenerator<{ place: string; count: number }[]> {
  for await (const page of pages<ReferredEntry>(kv, REFERRED)) {
    yield page.flatMap((entry) =>
      readable(entry)?.value.counts ? { place: String(entry.key[1]), count: 1 } : []
    );
  }
}

/** How often the referrals of a person are counted again because a commit has changed the number meanwhile. */
const MAX_TRIES = 20;

/**
 * Counts the referrals of a person again, between two reads of the stored number. If its entry has the same version in
 * both reads, the referrals have not changed meanwhile, because every change of a referral that counts writes the
 * entry.
 * @returns `undefined` if the number is right, or if it changed during every try; the next check then compares it again
 */
async function recountReferrals(
  kv: Kv,
  id: string,
  repairs: boolean,
): Promise<ReferralDifference | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [before] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
    const isOnList = await findPersonById(kv, id) !== undefined;
    const referred = (await Array.fromAsync(pages<ReferredEntry>(kv, referredSelector(id)))).flat();
    const counting = referred.filter((entry) => readable(entry)?.value.counts);
    const recounted = isOnList ? counting.length : 0;
    const places = (await Array.fromAsync(pages(kv, BY_REFERRALS))).flat()
      .filter(({ key }) => byReferralsOf(key).id === id);
    const [after] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
    if (before?.version !== after?.version) continue;
    const kept = after?.value?.referrals ?? 0;
    const isInOrder = places.length === (kept > 0 ? 1 : 0) &&
      places.every(({ key }) => byReferralsOf(key).referrals === kept);
    if (after && kept === recounted && isInOrder) return undefined;
    const difference = { id, kept, recounted };
    if (!repairs) return difference;
    const commit = new Commit();
    if (after) commit.check(after);
    for (const { key } of places) commit.delete(key);
    if (recounted > 0) commit.set(byReferralsKey(recounted, id), true);
    if (isOnList) commit.set(referrerKey(id), { ...after?.value, referrals: recounted });
    else commit.delete(referrerKey(id));
    if (await kv.commit(commit) !== "conflict") return difference;
  }
  return undefined;
}
