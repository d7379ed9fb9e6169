/**
 * Compares the lists of people with the records, and repairs the lists, and the records that have no state.
 * `records.ts` says which entries a record has in lists.
 *
 * All lists and all records are first read once. The addresses are divided into groups, and each group has a sum of
 * hashes. The sum adds the entries that the records of the group must have in lists, and subtracts the entries that are
 * in the lists. If the sum is 0, the lists of the group count as right, because wrong entries give this sum only by a
 * rare chance.
 *
 * Records and entries that were written after the recount began are left out of the sums. Such a record carries the
 * number of the recount (`recount.ts`), and such an entry has a higher version than the commit that began the recount.
 * All entries of a new person are left out, so people who join meanwhile change no sum.
 *
 * If the sum of a group is not 0, the people of the group are suspects. The suspects are read one after the other, each
 * of them in one snapshot. A person on the list who changes during the check becomes a suspect as well, because the
 * entries that the change left alone are still in the sum. So no change is taken for a fault. @module
 */
import { isDeepStrictEqual } from "node:util";
import type { RecountReport } from "../../../shared/operator_schemas.ts";
import { DeadlineError, hashText } from "../../runtime/mod.ts";
import { type SignUpRecord, stateOf } from "../../waitlist/mod.ts";
import {
  addressOf,
  Commit,
  commitChange,
  type Entry,
  isHigherVersion,
  type Key,
  type Kv,
  readOne,
  readWithSchema,
  signUpKey,
  type Version,
  withPausesForRequests,
} from "../kv/mod.ts";
import {
  type AddressedRecord,
  isSound,
  listEntries,
  readLists,
  readSignUpPages,
} from "./records.ts";

/** The number of people whose entries are missing in lists, and the number of entries that belong to no record. */
export type ListFaults = RecountReport["lists"];

/**
 * The number of groups. The number is large, so that few people share a group with a person who changes during the
 * check, even if there are a million people.
 */
const GROUPS = 1 << 20;

/**
 * A check of the lists. The caller calls `addRecord()` for every record that can be read and does not carry the number
 * of the recount, and then `compare()`.
 */
export interface ListCheck {
  addRecord: (person: AddressedRecord) => void;
  /**
   * Compares the lists with the records, and repairs the lists if `repairs` is set. Yields `progress` after each step.
   */
  compare: (options: { repairs: boolean; progress: number }) => AsyncGenerator<number, ListFaults>;
}

/**
 * Begins a check of the lists.
 * @param startVersion the version of the commit that began the recount
 */
export function createListCheck(kv: Kv, startVersion: Version): ListCheck {
  const sums = new Int32Array(GROUPS);

  /** Adds the hash of an entry to the sum of the entry's group, or subtracts the hash. */
  function addToSum({ key, value }: Pick<Entry, "key" | "value">, sign: 1 | -1): void {
    sums[groupOf(addressOf(key))]! += sign * hash(JSON.stringify([key, value]));
  }

  const isSuspect = (email: string) => sums[groupOf(email)] !== 0;

  /**
   * Subtracts the entries of all lists from the sums, except entries that were written since the recount began.
   * @returns whether KV can read all lists; if not, all people are suspects
   */
  async function* subtractLists(progress: number): AsyncGenerator<number, boolean> {
    try {
      for await (const entries of withPausesForRequests(readLists(kv))) {
        for (const entry of entries) {
          // An entry whose value cannot be read counts as wrong, because no right entry has the value `null`.
          if ("fault" in entry) addToSum({ key: entry.key, value: null }, -1);
          else if (!isHigherVersion(entry.version, startVersion)) addToSum(entry, -1);
        }
        yield progress;
      }
      return true;
    } catch (error) {
      if (error instanceof DeadlineError) throw error;
      // Sets the sum of every group to a number that is not 0, so that all people are suspects.
      sums.fill(1);
      return false;
    }
  }

  return {
    addRecord({ email, record }) {
      for (const entry of listEntries(email, record)) addToSum(entry, 1);
      // A record without a state must be repaired. Adds an entry that no list has, so that the sum of the group is not
      // 0 and the person is a suspect.
      if (!record.state) addToSum({ key: [email], value: true }, 1);
    },

    async *compare({ repairs, progress }) {
      const areListsReadable = yield* subtractLists(progress);
      const faults: ListFaults = { missing: 0, surplus: 0 };
      if (sums.every((sum) => sum === 0)) return faults;
      // Finds the entries that are missing.
      for await (const { records } of withPausesForRequests(readSignUpPages(kv))) {
        for (const { email } of records) {
          if (isSuspect(email) && !await checkPerson(kv, email, repairs)) faults.missing++;
        }
        yield progress;
      }
      // Finds the entries that belong to no record. They can be found only in lists that KV can read to their end.
      if (!areListsReadable) return faults;
      for await (const entries of withPausesForRequests(readLists(kv))) {
        for (const { key } of entries) {
          const email = addressOf(key);
          if (isSuspect(email) && !await checkEntry(kv, { key, email, repairs })) faults.surplus++;
        }
        yield progress;
      }
      return faults;
    },
  };
}

/**
 * Checks that a record has its state and all its entries in lists; adds what is missing if `repairs` is set.
 * @returns whether nothing was missing; true for a record that is gone
 */
async function checkPerson(kv: Kv, email: string, repairs: boolean): Promise<boolean> {
  return await commitChange(kv, async () => {
    const recordEntry = await readOne<SignUpRecord>(kv, signUpKey(email));
    const record = recordEntry.value;
    if (typeof record?.createdAt !== "string") return { result: () => true };
    const expected = listEntries(email, record);
    const keys = [signUpKey(email), ...expected.map(({ key }) => key)];
    // An entry that cannot be read is `undefined` here, and so counts as wrong.
    const { schema, entries: [current, ...entries] } = await readWithSchema<SignUpRecord>(kv, keys);
    // If the record has changed since it was read, gives `undefined`, so that `commitChange()` begins again.
    if (current?.version !== recordEntry.version) return undefined;
    const isComplete = isSound(record) && expected.every(({ value }, index) => {
      return isDeepStrictEqual(entries[index]?.value as unknown, value);
    });
    if (isComplete || !repairs) return { result: () => isComplete };
    const commit = new Commit().check(schema.entry, recordEntry);
    // Adds nothing to the counters, because they already count the person in this state.
    if (!record.state) commit.set(recordEntry.key, { ...record, state: stateOf(record) });
    for (const { key, value } of expected) commit.set(key, value);
    return { commit, result: () => false };
  });
}

/**
 * Checks that an entry of a list belongs to a record; removes any other entry if `repairs` is set. The entry of a
 * person with a damaged record stays, because it may belong to the record.
 * @returns whether the entry may stay; true for an entry that is gone
 */
async function checkEntry(
  kv: Kv,
  { key, email, repairs }: { key: Key; email: string; repairs: boolean },
): Promise<boolean> {
  return await commitChange(kv, async () => {
    const keys = [signUpKey(email), key];
    const { schema, entries: [recordEntry, entry] } = await readWithSchema<SignUpRecord>(kv, keys);
    if (!recordEntry || !entry || entry.version === null) return { result: () => true };
    const record = recordEntry.value;
    if (record && !isSound(record)) return { result: () => true };
    const expected = record ? listEntries(email, record) : [];
    const belongs = expected.some((listEntry) => isDeepStrictEqual(listEntry.key, key));
    if (belongs || !repairs) return { result: () => belongs };
    const commit = new Commit().check(schema.entry, recordEntry, entry).delete(key);
    return { commit, result: () => false };
  });
}

/** Gives the hash of a text as a whole number from 0 on. */
const hash = (text: string): number => hashText(text) >>> 0;

const groupOf = (email: string): number => hash(email) % GROUPS;
