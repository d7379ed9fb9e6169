/**
 * Reads the records of sign-ups, and writes to the counters that are kept with them.
 *
 * @module
 */
import { keptSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/record.ts";
import type { Counter } from "../../waitlist/statistics.ts";
import { isUnreadable, readEntries } from "../kv/pages.ts";
import { addressOf, counterKey, SIGN_UPS } from "../kv/keys.ts";

/**
 * Records in a page. KV would read 500 at once, but everything else that the process has to do waits for a
 * page; below 200, the calls begin to cost more than the records.
 */
const PAGE_SIZE = 200;

/** A record and its address. */
export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
  versionstamp: string;
}

/** Records in the order of their addresses, and the records among them that cannot be read. */
export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads all records in the order of their addresses, page by page, each page when it is asked for. A record
 * that is added, changed or erased meanwhile is read as it is when its page is read.
 *
 * @param after the address to begin behind; it need not have a record
 * @param size the most records in a page
 */
export async function* readSignUpPages(
  kv: Deno.Kv,
  after?: string,
  size = PAGE_SIZE,
): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    prefix: SIGN_UPS.prefix,
    after,
    batchSize: size,
    form: { schema: keptSignUpSchema, of: (email, record) => ({ email, ...record }) },
  });
  for await (const { entries, unreadable } of batches) {
    const records = entries.map(({ key, value, versionstamp }) => {
      return { email: addressOf(key), record: value, versionstamp };
    });
    yield { records, unreadable };
  }
}

/**
 * Reads records, in as few calls as KV allows; each call is one snapshot.
 *
 * @returns `undefined` for a record that cannot be read, so that it does not fail the others
 */
export function readRecords(
  kv: Deno.Kv,
  keys: Deno.KvKey[],
): Promise<(Deno.KvEntryMaybe<SignUpRecord> | undefined)[]> {
  return readInTens(keys, (some) => {
    return kv.getMany<SignUpRecord[]>(some).catch(() => readOneByOne(kv, some));
  });
}

/** Keys that one `getMany` takes. */
const READ_AT_ONCE = 10;

/** Reads the entries of any number of keys by a function that takes ten keys at the most. */
export async function readInTens<Entry>(
  keys: Deno.KvKey[],
  read: (some: Deno.KvKey[]) => Promise<Entry[]>,
): Promise<Entry[]> {
  const reads = [];
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    reads.push(read(keys.slice(from, from + READ_AT_ONCE)));
  }
  return (await Promise.all(reads)).flat();
}

function readOneByOne(kv: Deno.Kv, keys: Deno.KvKey[]) {
  return Promise.all(keys.map(async (key) => {
    try {
      return await kv.get<SignUpRecord>(key);
    } catch (error) {
      if (await isUnreadable(kv, key)) return undefined;
      throw error;
    }
  }));
}

/** Adds a positive or negative number to a counter; KV adds modulo 2^64 and takes no sign. */
export function addToCounter(commit: Deno.AtomicOperation, counter: Counter, by: number): void {
  addToNumber(commit, counterKey(counter), by);
}

/** Adds a positive or negative number to the number under a key. */
export function addToNumber(commit: Deno.AtomicOperation, key: Deno.KvKey, by: number): void {
  commit.sum(key, BigInt.asUintN(64, BigInt(by)));
}

/** Gives a counter's number, which is below zero where a fault took more from it than it had. */
export function numberOf(value: Deno.KvU64): number {
  return Number(BigInt.asIntN(64, value.value));
}
