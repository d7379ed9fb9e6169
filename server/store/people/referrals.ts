/**
 * Referrals in the store: whether a confirmation counts, and how many referrals each person has. The numbers of
 * referrals move in the commits of the referred people (`commit.ts`). `waitlist/referrals.ts` has the rules. @module
 */
import { countsAsReferral, mailboxOf, type SignUpRecord, stateOf } from "../../waitlist/mod.ts";
import {
  addressesOf,
  BY_REFERRALS,
  byReferralsKey,
  Commit,
  type Kv,
  pages,
  readable,
  readMany,
  readPage,
  referralCodeSelector,
  referredMailboxSelector,
  referredSelector,
  referrerKey,
  REFERRERS,
} from "../kv/mod.ts";
import { type AddressedRecord, findPersonById, findRecords } from "./records.ts";

/** The stored value of a person who has referrals. */
export interface StoredReferrer {
  /** The number of people on the list who came by the person's link and whose referral counts. */
  referrals: number;
  /** The UTC day of the last confirmation that counted for this person. */
  day?: string;
  /** The number of confirmations that have counted on this day. It stays the same when the referred people leave. */
  countedOnDay?: number;
}

/** A person who changes in a commit. */
interface PersonInCommit {
  email: string;
  before: SignUpRecord | undefined;
  /** The record afterwards; `undefined` for a person who leaves. */
  after: SignUpRecord | undefined;
  /** Whether the person only leaves one address for another, and so stays on the list. */
  isCorrected?: boolean;
}

/** Collects the changes of referrals in a commit. */
export interface ReferralChanges {
  /** Decides whether the referral of a person who confirms counts, and gives the person's record with this decision. */
  decide: (email: string, record: SignUpRecord) => Promise<SignUpRecord>;
  /**
   * Notes the change of a person, so that the number of the referring person moves. It must be called once for each
   * change.
   */
  note: (person: PersonInCommit) => void;
  /** Adds the changed numbers to the commit, which checks the entries that were read. */
  write: (commit: Commit) => Promise<void>;
}

interface ChangeOptions {
  /** Whether the limit of counted confirmations a day holds. It does not hold for imports. */
  limitsDays: boolean;
}

/** Begins to collect the changes of referrals in a commit. It reads nothing if the commit changes no referral. */
export function createReferralChanges(kv: Kv, { limitsDays }: ChangeOptions): ReferralChanges {
  const referrers = new Map<string, Promise<ReferrerInCommit>>();
  /**
   * The referring person's id, together with the mailbox of the person who confirms, for each person who confirms in
   * this commit.
   */
  const confirming = new Set<string>();

  function referrerOf(id: string): Promise<ReferrerInCommit> {
    const known = referrers.get(id) ?? readReferrer(kv, id);
    referrers.set(id, known);
    return known;
  }

  const moves: (() => Promise<void>)[] = [];

  return {
    async decide(email, record) {
      const { referrerId, referralCounts } = record;
      if (!referrerId || referralCounts !== undefined) return record;
      if (stateOf(record) === "unconfirmed") return record;
      // This entry is read first, so that its check covers what is read after it.
      const referrer = await referrerOf(referrerId);
      const person = await findPersonById(kv, referrerId);
      const mailbox = mailboxOf(email);
      const name = `${referrerId} ${mailbox}`;
      const others = addressesOf(await readPage(kv, referredMailboxSelector(referrerId, mailbox)));
      const hasMailbox = confirming.has(name) || others.some((other) => other !== email);
      confirming.add(name);
      const day = record.updatedAt.slice(0, 10);
      const countedToday = limitsDays && referrer.day === day ? referrer.countedOnDay : 0;
      const counts = person !== undefined &&
        countsAsReferral(email, { email: person.email, countedToday, hasMailbox });
      if (counts && limitsDays) {
        referrer.day = day;
        referrer.countedOnDay = countedToday + 1;
      }
      // The commit checks the entry even if the referral does not count, because another commit may change it at
      // the same time, for the same mailbox.
      referrer.isConcerned = true;
      return { ...record, referralCounts: counts };
    },

    note({ before, after, isCorrected = false }) {
      const left = !after && !isCorrected && before?.referralCode ? before.id : undefined;
      const from = before?.referralCounts ? before.referrerId : undefined;
      const to = after?.referralCounts ? after.referrerId : undefined;
      if (from !== to) {
        if (from) moves.push(async () => void (await referrerOf(from)).move(-1));
        if (to) moves.push(async () => void (await referrerOf(to)).move(1));
      }
      if (left) moves.push(async () => void ((await referrerOf(left)).hasLeft = true));
    },

    async write(commit) {
      for (const move of moves) await move();
      for (const reading of referrers.values()) (await reading).write(commit);
    },
  };
}

type ReferrerInCommit = Awaited<ReturnType<typeof readReferrer>>;

/** Reads the entry of a referring person, for a commit that may change it. */
async function readReferrer(kv: Kv, id: string) {
  const [entry] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  const { referrals = 0, day, countedOnDay = 0 } = entry?.value ?? {};
  let moved = 0;
  return {
    day,
    countedOnDay,
    isConcerned: false,
    hasLeft: false,
    move(by: number): void {
      moved += by;
      this.isConcerned = true;
    },
    write(commit: Commit): void {
      // A number that cannot be read stays as it is, and a recount reports it.
      if (!entry || !this.isConcerned && !this.hasLeft) return;
      commit.check(entry);
      // An erased person has no number any more.
      const isGone = this.hasLeft || moved < 0 && !entry.value;
      const now = isGone ? 0 : Math.max(0, referrals + moved);
      if (referrals > 0 && referrals !== now) commit.delete(byReferralsKey(referrals, id));
      if (now > 0) commit.set(byReferralsKey(now, id), true);
      // A number of imported people alone has no day, so it ends with the last of them.
      if (isGone || now === 0 && !this.day) commit.delete(referrerKey(id));
      else {
        const today = this.day && { day: this.day, countedOnDay: this.countedOnDay };
        commit.set(referrerKey(id), { referrals: now, ...today } satisfies StoredReferrer);
      }
    },
  };
}

/** Finds the people to whom referral codes belong. @returns the id of each person's record, by the code */
export async function findReferrerIds(
  kv: Kv,
  codes: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...codes].map(async (code) => ({ code, person: await findByCode(kv, code) })),
  );
  return new Map(
    found.flatMap(({ code, person }): [string, string][] =>
      person ? [[code, person.record.id]] : []
    ),
  );
}

/** The most referring people whom a process remembers. Each of them takes some 200 bytes. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the people to whom referral codes belong, as {@linkcode findReferrerIds} does.
 * @param removals how many times records were removed before (`StoredSchema`)
 */
export type FindReferrers = (
  kv: Kv,
  codes: ReadonlySet<string>,
  removals: number,
) => Promise<ReadonlyMap<string, string>>;

/**
 * Makes a function that finds referring people and remembers them until somebody leaves the list, because most sign-ups
 * by links come by the links of a few people. A read for each batch of sign-ups would make them slower by a tenth.
 */
export function createReferrerMemory(): FindReferrers {
  let remembered = new Map<string, string>();
  let rememberedAt = NaN;
  return async (kv, codes, removals) => {
    if (rememberedAt !== removals || remembered.size > MAX_REMEMBERED) remembered = new Map();
    rememberedAt = removals;
    const memory = remembered;
    const unknown = codes.difference(memory);
    if (unknown.size > 0) {
      for (const [code, id] of await findReferrerIds(kv, unknown)) memory.set(code, id);
    }
    return memory;
  };
}

/**
 * Finds the person to whom a referral code belongs. If imports gave the code to several people, it finds the first of
 * them.
 */
async function findByCode(kv: Kv, code: string): Promise<AddressedRecord | undefined> {
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
 * Reads the referrals of people, in the order of their records.
 * @param options.codes whether to find the codes of the people who have referred them
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

/** Gives those of some people who have at least a number of referrals; all of them if there is no such number. */
export async function withReferrals(
  kv: Kv,
  people: AddressedRecord[],
  atLeast: number | undefined,
): Promise<AddressedRecord[]> {
  if (atLeast === undefined) return people;
  const shown = await readReferrals(kv, people.map(({ record }) => record), { codes: false });
  return people.filter((_, index) => (shown[index]!.referrals ?? 0) >= atLeast);
}

/** The people with whom a person is connected by referrals. */
export interface ReferralLinks {
  /** The person by whose link this person signed up; absent once that person is erased. */
  referrer?: { email: string; id: string };
  /** The people who have confirmed after they signed up by this person's link, by their mailboxes. */
  referredPeople: { email: string; id: string; counts: boolean }[];
  /** Whether there are more such people. */
  moreReferred: boolean;
}

/** Finds the people with whom a person is connected by referrals. @param limit the most referred people */
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
  const entries = await readPage(kv, BY_REFERRALS, { limit, reverse: true });
  const people = await Promise.all(entries.map(async ({ key: [, referrals, key] }) => {
    const id = String(key);
    const person = await findPersonById(kv, id);
    return person ? { email: person.email, id, referrals: Number(referrals) } : [];
  }));
  return people.flat();
}

/**
 * Removes the numbers of people who are not on the list. A backup can have people who were referred by an erased person;
 * while it is restored, nothing tells whether the line of the referring person follows. Yields after each page.
 */
export async function* removeAbsentReferrers(kv: Kv): AsyncGenerator<void> {
  for await (const page of pages<StoredReferrer>(kv, REFERRERS)) {
    for (const entry of page) {
      const id = String(entry.key[1]);
      const stored = readable(entry);
      if (!stored || await findPersonById(kv, id)) continue;
      await kv.commit(
        new Commit().check(stored).delete(entry.key)
          .delete(byReferralsKey(stored.value.referrals, id)),
      );
    }
    yield;
  }
}
