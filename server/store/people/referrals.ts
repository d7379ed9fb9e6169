/**
 * Reads who has recommended the list to whom, and how many referrals each person has. `referral_changes.ts` writes the
 * numbers of referrals. @module
 */
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  addressesOf,
  type Kv,
  PEOPLE_BY_REFERRALS,
  personByReferralsOf,
  readMany,
  readPage,
  referredSelector,
  referrerKey,
} from "../kv/mod.ts";
import { findPersonById, findRecords } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/** The referrals of a person, as operators and the person see them. */
export interface ShownReferrals {
  /**
   * The number of people who joined by the person's link and whose referral counts; absent for a person who has no
   * referral code.
   */
  referrals?: number;
  /** The referral code of the person by whose link this person came; empty once the other person is erased. */
  referredBy?: string;
}

/** Reads the referrals of people; the results have the order of `records`. */
export async function readReferrals(kv: Kv, records: SignUpRecord[]): Promise<ShownReferrals[]> {
  const referralNumbers = await readReferralNumbers(kv, records);
  const referrerCodes = await readReferrerCodes(kv, records);
  return records.map(({ id, referrerId }) => ({
    ...referralNumbers.has(id) && { referrals: referralNumbers.get(id)! },
    ...referrerId !== undefined && { referredBy: referrerCodes.get(referrerId)! },
  }));
}

/** Reads the numbers of referrals of the people who have a referral code, by the ids of their records. */
async function readReferralNumbers(
  kv: Kv,
  records: SignUpRecord[],
): Promise<Map<string, number>> {
  const ids = records.filter(({ referralCode }) => referralCode).map(({ id }) => id);
  const entries = await readMany<StoredReferrer>(kv, ids.map(referrerKey));
  return new Map(ids.map((id, index) => [id, entries[index]?.value?.referrals ?? 0]));
}

/**
 * Reads the referral codes of the people who referred the people with the given `records`. The key of each code is the
 * id of the referring person's record. The code of a person who was erased is empty.
 */
async function readReferrerCodes(kv: Kv, records: SignUpRecord[]): Promise<Map<string, string>> {
  const ids = [...new Set(records.flatMap(({ referrerId }) => referrerId ?? []))];
  const referrers = await Promise.all(ids.map((id) => findPersonById(kv, id)));
  return new Map(ids.map((id, index) => [id, referrers[index]?.record.referralCode ?? ""]));
}

/** The people with whom a person is connected by referrals. */
export interface ReferralLinks {
  /**
   * The person by whose link this person signed up; absent if there is no such person, or once that person is erased.
   */
  referrer?: { email: string; id: string };
  /**
   * The people who have confirmed after they signed up by this person's link, in the order of their mailboxes. `counts`
   * tells whether the referral counts.
   */
  referredPeople: { email: string; id: string; counts: boolean }[];
  /** Whether there are more referred people than are listed. */
  moreReferred: boolean;
}

/**
 * Finds the people with whom a person is connected by referrals.
 * @param limit how many referred people are listed at most
 */
export async function findReferralLinks(
  kv: Kv,
  { id, referrerId }: SignUpRecord,
  limit: number,
): Promise<ReferralLinks> {
  const referrer = referrerId === undefined ? undefined : await findPersonById(kv, referrerId);
  const entries = await readPage(kv, referredSelector(id), { limit: limit + 1 });
  const people = await findRecords(kv, addressesOf(entries.slice(0, limit)));
  return {
    ...referrer && { referrer: { email: referrer.email, id: referrer.record.id } },
    referredPeople: people.map(({ email, record }) => {
      return { email, id: record.id, counts: record.referralCounts === true };
    }),
    moreReferred: entries.length > limit,
  };
}

/** Lists the people with the most referrals, beginning with the highest number. */
export async function listTopReferrers(
  kv: Kv,
  limit: number,
): Promise<{ email: string; id: string; referrals: number }[]> {
  const entries = await readPage(kv, PEOPLE_BY_REFERRALS, { limit, reverse: true });
  const people = await Promise.all(entries.map(async ({ key }) => {
    const { id, referrals } = personByReferralsOf(key);
    const person = await findPersonById(kv, id);
    return person ? { email: person.email, id, referrals } : [];
  }));
  return people.flat();
}
