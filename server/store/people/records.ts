/**
 * Reads the records of sign-ups, and writes to the counters that are kept with them.
 *
 * @module
 */
import { keptSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { addressOf, readEntries, SIGN_UPS } from "../kv/mod.ts";

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
