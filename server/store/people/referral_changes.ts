/**
 * Decides whether a confirmation counts as a referral, and changes the numbers of referrals in the same commits as the
 * records of the referred people (`commit.ts`). `waitlist/referrals.ts` has the rules. @module
 */
import { countsAsReferral, mailboxOf, type SignUpRecord, stateOf } from "../../waitlist/mod.ts";
import {
  addressesOf,
  type Commit,
  type Kv,
  type MaybeEntry,
  peopleByReferralsKey,
  readMany,
  readPage,
  referredMailboxSelector,
  referrerKey,
} from "../kv/mod.ts";
import { findAddressOnList } from "./records.ts";

/** The stored value of a referring person. */
export interface StoredReferrer {
  /** The number of people on the list who came by the person's link and whose referral counts. */
  referrals: number;
  /** The UTC day of the last confirmation that counted for this person. */
  day?: string;
  /**
   * The number of confirmations that have counted on `day`. The number stays the same when the referred people leave.
   */
  countedOnDay?: number;
}

/** A person who changes in a commit. */
interface PersonInCommit {
  before: SignUpRecord | undefined;
  /** The record after the commit; `undefined` for a person who leaves. */
  after: SignUpRecord | undefined;
  /** Whether the person only gets another address, and so stays on the list. */
  isCorrected?: boolean;
}

/** Collects the changes of referrals in a commit. */
export interface ReferralChanges {
  /** Decides, when a person confirms, whether the person's referral counts. Gives the record with this decision. */
  decideReferral: (email: string, record: SignUpRecord) => Promise<SignUpRecord>;
  /**
   * Notes the change of a person, so that the referring person's number of referrals changes as well. The function must
   * be called once for each change of a person.
   */
  noteChange: (person: PersonInCommit) => void;
  /** Adds the changed numbers to the commit, and a check of each entry that is written. */
  writeTo: (commit: Commit) => Promise<void>;
}

interface ChangeOptions {
  /** Whether the daily limit of counted confirmations applies. It does not apply to imports. */
  hasDailyLimit: boolean;
}

/** Begins to collect the changes of referrals in a commit. Nothing is read for a commit that changes no referral. */
export function createReferralChanges(kv: Kv, { hasDailyLimit }: ChangeOptions): ReferralChanges {
  const referrers = new Map<string, Promise<ReferrerInCommit>>();
  /**
   * The mailboxes that are referred in this commit. Each text has the id of the referring person, a space, and the
   * mailbox of a person who confirms.
   */
  const referredMailboxes = new Set<string>();
  /** How the commit changes numbers of referrals. The `id` is the id of the referring person's record. */
  const numberChanges: { id: string; amount: 1 | -1 }[] = [];
  /** The ids of the records of people with a referral code who leave the list. */
  const leavingIds: string[] = [];

  /** Gives a referring person. The entry of the person is read only once for the commit. */
  function findReferrer(id: string): Promise<ReferrerInCommit> {
    const referrer = referrers.get(id) ?? readReferrer(kv, id);
    referrers.set(id, referrer);
    return referrer;
  }

  /** Whether the referring person has referred another address of the same mailbox, in this commit or before. */
  async function isMailboxReferred(referrerId: string, email: string): Promise<boolean> {
    const mailbox = mailboxOf(email);
    if (referredMailboxes.has(`${referrerId} ${mailbox}`)) return true;
    const entries = await readPage(kv, referredMailboxSelector(referrerId, mailbox));
    return addressesOf(entries).some((referredEmail) => referredEmail !== email);
  }

  return {
    async decideReferral(email, record) {
      const { referrerId, referralCounts } = record;
      if (!referrerId || referralCounts !== undefined) return record;
      if (stateOf(record) === "unconfirmed") return record;
      // Reads the entry of the referring person first, because the commit checks this entry: if the referrals of the
      // referring person change after this read, the commit fails.
      const referrer = await findReferrer(referrerId);
      const referrerEmail = await findAddressOnList(kv, referrerId);
      const hasReferredMailbox = await isMailboxReferred(referrerId, email);
      referredMailboxes.add(`${referrerId} ${mailboxOf(email)}`);
      const day = record.updatedAt.slice(0, 10);
      const countedToday = hasDailyLimit ? referrer.countedOn(day) : 0;
      const isCounted = referrerEmail !== undefined &&
        countsAsReferral(email, { email: referrerEmail, countedToday, hasReferredMailbox });
      if (isCounted && hasDailyLimit) referrer.countOn(day);
      // The commit checks and writes the referring person's entry even if this referral does not count. Otherwise, two
      // commits for two addresses of one mailbox could decide at the same time, and neither would know of the other
      // address.
      referrer.mustBeWritten = true;
      return { ...record, referralCounts: isCounted };
    },

    noteChange({ before, after, isCorrected = false }) {
      const oldReferrer = before?.referralCounts ? before.referrerId : undefined;
      const newReferrer = after?.referralCounts ? after.referrerId : undefined;
      if (oldReferrer !== newReferrer) {
        if (oldReferrer) numberChanges.push({ id: oldReferrer, amount: -1 });
        if (newReferrer) numberChanges.push({ id: newReferrer, amount: 1 });
      }
      if (!after && !isCorrected && before?.referralCode) leavingIds.push(before.id);
    },

    async writeTo(commit) {
      for (const { id, amount } of numberChanges) (await findReferrer(id)).add(amount);
      for (const id of leavingIds) (await findReferrer(id)).leave();
      for (const referrer of referrers.values()) (await referrer).writeTo(commit);
    },
  };
}

/** Reads the entry of a referring person, for a commit that may change it. */
async function readReferrer(kv: Kv, id: string): Promise<ReferrerInCommit> {
  const [entry] = await readMany<StoredReferrer>(kv, [referrerKey(id)]);
  return new ReferrerInCommit(id, entry);
}

/** A referring person in a commit. */
class ReferrerInCommit {
  /** Whether the commit checks and writes the entry. */
  mustBeWritten = false;
  readonly #id: string;
  /** The entry as it was read; `undefined` if it cannot be read. */
  readonly #entry: MaybeEntry<StoredReferrer> | undefined;
  /** The UTC day of the last confirmation that counted, and the number of confirmations that counted on that day. */
  #lastCounted: { day: string; countedOnDay: number } | undefined;
  /** How many referrals the commit adds; negative if it removes more than it adds. */
  #added = 0;
  #hasLeft = false;

  constructor(id: string, entry: MaybeEntry<StoredReferrer> | undefined) {
    this.#id = id;
    this.#entry = entry;
    const { day, countedOnDay = 0 } = entry?.value ?? {};
    if (day) this.#lastCounted = { day, countedOnDay };
  }

  /** Gives the number of confirmations that have counted on a UTC day. */
  countedOn(day: string): number {
    return this.#lastCounted?.day === day ? this.#lastCounted.countedOnDay : 0;
  }

  /** Notes that one more confirmation counts on a UTC day. */
  countOn(day: string): void {
    this.#lastCounted = { day, countedOnDay: this.countedOn(day) + 1 };
  }

  /** Adds `amount`, which may be negative, to the number of referrals. */
  add(amount: number): void {
    this.#added += amount;
    this.mustBeWritten = true;
  }

  /** Notes that the person leaves the list, and so has no number of referrals any more. */
  leave(): void {
    this.#hasLeft = true;
    this.mustBeWritten = true;
  }

  /** Adds the changed entry to a commit, and the person's new place in the list of people by these numbers. */
  writeTo(commit: Commit): void {
    const entry = this.#entry;
    // A number that cannot be read stays as it is, and a recount reports it.
    if (!entry || !this.mustBeWritten) return;
    commit.check(entry);
    const before = entry.value?.referrals ?? 0;
    // A person who has left the list has no number of referrals any more.
    const isGone = this.#hasLeft || this.#added < 0 && !entry.value;
    const after = isGone ? 0 : Math.max(0, before + this.#added);
    if (before > 0 && before !== after) commit.delete(peopleByReferralsKey(before, this.#id));
    if (after > 0) commit.set(peopleByReferralsKey(after, this.#id), true);
    // A number that counts only imported people has no day, because the daily limit does not apply to imports. The
    // entry is therefore removed with the last of these people. An entry with a day stays for the daily limit.
    if (isGone || after === 0 && !this.#lastCounted) commit.delete(referrerKey(this.#id));
    else {
      const value: StoredReferrer = { referrals: after, ...this.#lastCounted };
      commit.set(referrerKey(this.#id), value);
    }
  }
}
