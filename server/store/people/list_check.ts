/**
 * Compares the lists of people with the records, and repairs the lists. All lists and all records are first read once.
 * The addresses are divided into groups, and each group has a sum. The entries that its records must have in lists are
 * added to the sum, and the entries that are in the lists are subtracted. If the sum is 0, the lists of the group are
 * right. Only the people of the other groups are then read one by one, each in one snapshot. A person who changes
 * during the check is among them, so that no change is taken for a fault. @module
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
  type Key,
  type Kv,
  readable,
  readOne,
  readWithSchema,
  signUpKey,
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
 * The number of groups. There are so many that, even of a million people, few share a group with a person who changes
 * during the check.
 */
const GROUPS = 1 << 20;

/** A check of the lists. The caller calls `addRecord()` for every record that can be read, and then `compare()`. */
export interface ListCheck {
  addRecord: (person: AddressedRecord) => void;
  /**
   * Compares the lists with the records, and repairs the lists if `repairs` is set. Yields `progress` after each step.
   */
  compare: (options: { repairs: boolean; progress: number }) => AsyncGenerator<number, ListFaults>;
}

/** Begins a check of the lists. */
export function createListCheck(kv: Kv): ListCheck {
  const sums = new Int32Array(GROUPS);

  function add({ key, value }: Pick<Entry, "key" | "value">, sign: 1 | -1): void {
    const group = hash(addressOf(key)) % GROUPS;
    sums[group]! += sign * hash(JSON.stringify([key, value]));
  }

  const isSuspect = (email: string) => sums[hash(email) % GROUPS] !== 0;

  /**
   * Subtracts the entries of all lists from the sums.
   * @returns whether all lists can be read; if not, the people of all groups are read one by one
   */
  async function* addLists(progress: number): AsyncGenerator<number, boolean> {
    try {
      for await (const entries of readLists(kv)) {
        // An entry that cannot be read counts as wrong.
        for (const entry of entries) add(readable(entry) ?? { key: entry.key, value: null }, -1);
        yield progress;
      }
      return true;
    } catch (error) {
      if (error instanceof DeadlineError) throw error;
      sums.fill(1);
      return false;
    }
  }

  return {
    addRecord({ email, record }) {
      for (const entry of listEntries(email, record)) add(entry, 1);
      // A record without a state must be looked at. An additional summand makes the sum of its group differ from 0, so
      // that the people of the group are read one by one.
      if (!record.state) add({ key: [email], value: true }, 1);
    },

    async *compare({ repairs, progress }) {
      const areReadable = yield* addLists(progress);
      const faults: ListFaults = { missing: 0, surplus: 0 };
      if (sums.every((sum) => sum === 0)) return faults;
      for await (const { records } of readSignUpPages(kv)) {
        for (const { email } of records) {
          if (isSuspect(email) && !await hasEntries(kv, email, repairs)) faults.missing++;
        }
        yield progress;
      }
      if (!areReadable) return faults;
      for await (const entries of readLists(kv)) {
        for (const { key } of entries) {
          const email = addressOf(key);
          if (isSuspect(email) && await isSurplus(kv, { key, email, repairs })) faults.surplus++;
        }
        yield progress;
      }
      return faults;
    },
  };
}

/**
 * Whether a record has all its entries in lists; adds missing entries if `repairs` is set. True for a record that is
 * gone.
 */
async function hasEntries(kv: Kv, email: string, repairs: boolean): Promise<boolean> {
  return await commitChange(kv, async () => {
    const record = await readOne<SignUpRecord>(kv, signUpKey(email));
    if (typeof record.value?.createdAt !== "string") return { result: () => true };
    const expected = listEntries(email, record.value);
    const keys = [signUpKey(email), ...expected.map(({ key }) => key)];
    // An entry that cannot be read is `undefined` in this list, and so counts as wrong.
    const { schema, entries: [now, ...entries] } = await readWithSchema<SignUpRecord>(kv, keys);
    // The record has changed since it was read. With `undefined`, `commitChange()` begins again.
    if (now?.version !== record.version) return undefined;
    const isRight = isSound(record.value) && expected.every(({ value }, index) => {
      return isDeepStrictEqual(entries[index]?.value as unknown, value);
    });
    if (isRight || !repairs) return { result: () => isRight };
    const commit = new Commit().check(schema.entry, record);
    // Adds nothing to the counters, because they already count the person in this state.
    if (!record.value.state) {
      commit.set(record.key, { ...record.value, state: stateOf(record.value) });
    }
    for (const { key, value } of expected) commit.set(key, value);
    return { commit, result: () => false };
  });
}

/**
 * Whether an entry belongs to no record; removes such an entry if `repairs` is set. The entry of a person with a
 * damaged record stays, because it may belong to the record.
 */
async function isSurplus(
  kv: Kv,
  { key, email, repairs }: { key: Key; email: string; repairs: boolean },
): Promise<boolean> {
  return await commitChange(kv, async () => {
    const keys = [signUpKey(email), key];
    const { schema, entries: [record, entry] } = await readWithSchema<SignUpRecord>(kv, keys);
    if (!record || !entry || entry.version === null) return { result: () => false };
    if (record.value && !isSound(record.value)) return { result: () => false };
    const expected = record.value ? listEntries(email, record.value) : [];
    if (expected.some((each) => isDeepStrictEqual(each.key, key))) return { result: () => false };
    if (!repairs) return { result: () => true };
    const commit = new Commit().check(schema.entry, record, entry).delete(key);
    return { commit, result: () => true };
  });
}

const hash = (text: string) => hashText(text) >>> 0;
