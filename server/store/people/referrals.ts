/**
 * Reads who has recommended the list to whom, and how many referrals each person has. `referral_changes.ts` writes the
 * numbers of referrals. @module
 */
import { letRequestsArrive } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  addressesOf,
  asReadable,
  Commit,
  type Kv,
  type MaybeEntry,
  nameOf,
  PAGE_SIZE,
  pages,
  PEOPLE_BY_REFERRALS,
  peopleByReferralsKey,
  peopleByReferralsSelector,
  personByReferralsOf,
  readMany,
  readPage,
  referralCodeSelector,
  referredSelector,
  referrerKey,
  REFERRERS,
  withPausesForRequests,
} from "../kv/mod.ts";
import { choosePeople, type PeopleRange, type Person, readPeople } from "./people_lists.ts";
import { type AddressedRecord, findAddressOnList, findPersonById, findRecords } from "./records.ts";
import type { StoredReferrer } from "./referral_changes.ts";

/** The people to whom referral codes belong: the id of each person's record, by the code. */
export type ReferrerIds = ReadonlyMap<string, string>;

/** Finds the people to whom referral codes belong. A code that belongs to nobody is absent from the result. */
export async function findReferrerIds(kv: Kv, codes: Iterable<string>): Promise<ReferrerIds> {
  const found = await Promise.all(
    [...codes].map(async (code) => ({ code, person: await findPersonByCode(kv, code) })),
  );
  return new Map(
    found.flatMap(({ code, person }): [string, string][] =>
      person ? [[code, person.record.id]] : []
    ),
  );
}

/** How many referring people a process remembers at most. Each of them takes about 200 bytes. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the people to whom referral codes belong, as {@linkcode findReferrerIds} does. The result may have further
 * codes.
 * @param removals the number of removed records, as the entry of the schema counts them
 */
export type ReferrerMemory = (
  kv: Kv,
  codes: ReadonlySet<string>,
  removals: number,
) => Promise<ReferrerIds>;

/**
 * Makes a function that finds referring people and remembers them until somebody leaves the list, because most sign-ups
 * by links come by the links of a few people. A read for each batch of sign-ups would make the sign-ups slower by a
 * tenth.
 */
export function createReferrerMemory(): ReferrerMemory {
  let remembered = new Map<string, string>();
  let lastRemovals = NaN;
  return async (kv, codes, removals) => {
    if (lastRemovals !== removals || remembered.size > MAX_REMEMBERED) remembered = new Map();
    lastRemovals = removals;
    // Goes on with this map, because another call may begin a new map while this call reads.
    const ids = remembered;
    const unknown = codes.difference(ids);
    if (unknown.size > 0) {
      for (const [code, id] of await findReferrerIds(kv, unknown)) ids.set(code, id);
    }
    return ids;
  };
}

/**
 * Finds the person to whom a referral code belongs. If imports gave the code to several people, finds the first of
 * these people.
 */
async function findPersonByCode(kv: Kv, code: string): Promise<AddressedRecord | undefined> {
  const emails = addressesOf(await readPage(kv, referralCodeSelector(code), { limit: 2 }));
  return (await findRecords(kv, emails)).find(({ record }) => record.referralCode === code);
}

/** The referrals of a person, as operators and the person see them. */
export interface ShownReferrals {
  /** The person's number of referrals; absent for a person who has no referral code. */
  referrals?: number;
  /** The referral code of the person by whose link this person came; empty once the other person is erased. */
  referredBy?: string;
}

/**
 * Reads the referrals of people; the results have the order of `records`.
 * @param options.codes whether to find, for each person, the code of the person who referred them
 */
export async function readReferrals(
  kv: Kv,
  records: SignUpRecord[],
  { codes = true } = {},
): Promise<ShownReferrals[]> {
  const owners = records.filter(({ referralCode }) => referralCode);
  const counts = await readMany<StoredReferrer>(kv, owners.map(({ id }) => referrerKey(id)));
  const countOf = new Map(owners.map(({ id }, index) => {
    return [id, counts[index]?.value?.referrals ?? 0] as const;
  }));
  const ids = codes ? [...new Set(records.flatMap(({ referrerId }) => referrerId ?? []))] : [];
  const referrers = await Promise.all(ids.map((id) => findPersonById(kv, id)));
  const codeOf = new Map(ids.map((id, index) => {
    return [id, referrers[index]?.record.referralCode ?? ""] as const;
  }));
  return records.map(({ id, referrerId }) => ({
    ...countOf.has(id) && { referrals: countOf.get(id)! },
    ...codes && referrerId !== undefined && { referredBy: codeOf.get(referrerId) ?? "" },
  }));
}

/**
 * How many people are found at most with `PEOPLE_BY_REFERRALS`, the list of people in the order of their numbers of referrals.
 * One page of a list of people may take 3,500 reads of entries, and finding a person takes five reads.
 */
const MAX_FOUND = 700;

/** How many people are found at once. Requests that arrive meanwhile wait until these people are found. */
const FOUND_AT_ONCE = 50;

/**
 * Finds all people who have at least `atLeast` referrals, in no particular order.
 * @returns `undefined` if there are more than 700 of them
 */
export async function findReferrers(
  kv: Kv,
  atLeast: number,
): Promise<AddressedRecord[] | undefined> {
  const entries = await readPage(kv, peopleByReferralsSelector(atLeast), { limit: MAX_FOUND + 1 });
  if (entries.length > MAX_FOUND) return undefined;
  const ids = entries.map(({ key }) => personByReferralsOf(key).id);
  const found: AddressedRecord[] = [];
  while (ids.length > 0) {
    const part = ids.splice(0, FOUND_AT_ONCE);
    const people = await Promise.all(part.map((id) => findPersonById(kv, id)));
    found.push(...people.filter((person) => person !== undefined));
    await letRequestsArrive();
  }
  return found;
}

/**
 * Reads people as {@linkcode readPeople} does. If {@linkcode findReferrers} finds the people with at least `atLeast`
 * referrals, reads only these people. Otherwise, reads all people, so that the caller still has to use
 * {@linkcode filterByReferrals}.
 */
export async function* readPeopleWithReferrals(
  kv: Kv,
  range: PeopleRange,
  atLeast: number | undefined,
): AsyncGenerator<Person[]> {
  const found = atLeast === undefined ? undefined : await findReferrers(kv, atLeast);
  if (!found) return yield* readPeople(kv, range);
  const people = choosePeople(found, range);
  while (people.length > 0) yield people.splice(0, range.limit ?? PAGE_SIZE);
}

/** The number of a person's referrals, as it was read. */
export interface Referring {
  /**
   * The entry of the number. A commit that depends on the number checks this entry. Absent if no number was asked for.
   */
  referrerEntry?: MaybeEntry<StoredReferrer>;
}

/** Gives the people who have at least `atLeast` referrals; all people if `atLeast` is `undefined`. */
export async function filterByReferrals<Listed extends AddressedRecord>(
  kv: Kv,
  people: Listed[],
  atLeast: number | undefined,
): Promise<(Listed & Referring)[]> {
  if (atLeast === undefined) return people;
  const owners = people.filter(({ record }) => record.referralCode);
  const keys = owners.map(({ record }) => referrerKey(record.id));
  const entries = await readMany<StoredReferrer>(kv, keys);
  return owners.flatMap((person, index) => {
    const referrerEntry = entries[index];
    const isEnough = (referrerEntry?.value?.referrals ?? 0) >= atLeast;
    return referrerEntry && isEnough ? { ...person, referrerEntry } : [];
  });
}

/** The people with whom a person is connected by referrals. */
export interface ReferralLinks {
  /**
   * The person by whose link this person signed up; absent if there is no such person, or once that person is erased.
   */
  referrer?: { email: string; id: string };
  /** The people who have confirmed after they signed up by this person's link, in the order of their mailboxes. */
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

/**
 * Removes the stored number of referrals of each referring person who is not on the list. Such numbers come from a
 * restore: a backup can have people who were referred by an erased person, and the restore counts these referrals,
 * because the line of the referring person could still come. Yields after each page.
 */
export async function* removeAbsentReferrers(kv: Kv): AsyncGenerator<void> {
  for await (const page of withPausesForRequests(pages<StoredReferrer>(kv, REFERRERS))) {
    for (const entry of page) {
      const id = nameOf(entry.key);
      const stored = asReadable(entry);
      if (!stored || await findAddressOnList(kv, id) !== undefined) continue;
      await kv.commit(
        new Commit().check(stored).delete(entry.key)
          .delete(peopleByReferralsKey(stored.value.referrals, id)),
      );
    }
    yield;
  }
}
