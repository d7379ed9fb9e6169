/**
 * Selects the people who have enough referrals, in two steps. The first step reads candidates: only the people with
 * enough referrals if there are few of them, and otherwise a whole list of people. The second step filters the
 * candidates by their numbers of referrals. The second step needs the candidates' records, which the callers read
 * between the two steps. `referral_changes.ts` writes the numbers. @module
 */
import { letRequestsArrive } from "../../runtime/mod.ts";
import {
  type Kv,
  type MaybeEntry,
  PAGE_SIZE,
  peopleByReferralsSelector,
  personByReferralsOf,
  readMany,
  readPage,
  referrerKey,
} from "../kv/mod.ts";
import { choosePeople, type PeopleRange, type Person, readPeople } from "./people_lists.ts";
import { type AddressedRecord, findPersonById } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/**
 * How many referring people {@linkcode findReferrers} finds at most. One page of a list of people may take 3,500 reads
 * of entries, and finding a person takes five reads.
 */
const MAX_REFERRERS = 700;

/** How many referring people are found at once. Requests that arrive meanwhile wait until these people are found. */
const REFERRERS_AT_ONCE = 50;

/**
 * Finds all people who have at least `minReferrals` referrals, in no particular order. Reads them from the list of
 * people in the order of their numbers of referrals.
 * @returns `undefined` if there are more than {@linkcode MAX_REFERRERS} such people
 */
export async function findReferrers(
  kv: Kv,
  minReferrals: number,
): Promise<AddressedRecord[] | undefined> {
  const entries = await readPage(kv, peopleByReferralsSelector(minReferrals), {
    limit: MAX_REFERRERS + 1,
  });
  if (entries.length > MAX_REFERRERS) return undefined;
  const ids = entries.map(({ key }) => personByReferralsOf(key).id);
  const referrers: AddressedRecord[] = [];
  while (ids.length > 0) {
    const batch = ids.splice(0, REFERRERS_AT_ONCE);
    const people = await Promise.all(batch.map((id) => findPersonById(kv, id)));
    referrers.push(...people.filter((person) => person !== undefined));
    await letRequestsArrive();
  }
  return referrers;
}

/**
 * Reads the people of a range, page by page, as {@linkcode readPeople} does. Leaves out people with fewer than
 * `minReferrals` referrals only if {@linkcode findReferrers} finds the other people. Therefore the caller always uses
 * {@linkcode filterByReferrals} as well.
 */
export async function* readReferralCandidates(
  kv: Kv,
  range: PeopleRange,
  minReferrals: number | undefined,
): AsyncGenerator<Person[]> {
  const referrers = minReferrals === undefined ? undefined : await findReferrers(kv, minReferrals);
  if (!referrers) return yield* readPeople(kv, range);
  const people = choosePeople(referrers, range);
  while (people.length > 0) yield people.splice(0, range.limit ?? PAGE_SIZE);
}

/** What the filter has read about a person. */
interface FilterReading {
  /**
   * The entry with the number of the person's referrals. A commit that depends on the number checks this entry. Absent
   * if the entry was not read.
   */
  referrerEntry?: MaybeEntry<StoredReferrer>;
}

/**
 * Gives the people who have at least `minReferrals` referrals; all people if `minReferrals` is `undefined`. A number
 * that cannot be read does not count as enough.
 */
export async function filterByReferrals<Candidate extends AddressedRecord>(
  kv: Kv,
  people: Candidate[],
  minReferrals: number | undefined,
): Promise<(Candidate & FilterReading)[]> {
  if (minReferrals === undefined) return people;
  // Nobody has referrals without a referral code, so no entries are read for such people.
  const peopleWithCode = people.filter(({ record }) => record.referralCode);
  const keys = peopleWithCode.map(({ record }) => referrerKey(record.id));
  const entries = await readMany<StoredReferrer>(kv, keys);
  return peopleWithCode.flatMap((person, index) => {
    const referrerEntry = entries[index];
    const isEnough = (referrerEntry?.value?.referrals ?? 0) >= minReferrals;
    return referrerEntry && isEnough ? { ...person, referrerEntry } : [];
  });
}
