import { keptSignUpSchema } from "../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { readEntries } from "./entries.ts";
import { addressOf, SIGN_UPS } from "./keys.ts";

/**
 * Records in a page. KV would read 500 in one go, but whatever else the process has to do waits for a
 * page; below 200 the calls begin to cost more than the records.
 */
const PAGE_SIZE = 200;

/** A record and its address. */
export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
  versionstamp: string;
}

/** Records in the order of their addresses, and those in between that cannot be read. */
export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads all records in the order of their addresses, page by page, each when it is asked for. A record
 * that comes, changes or goes meanwhile is read as it is when its page is.
 *
 * @param after the address to begin behind; it need not be there any more
 */
export async function* readSignUpPages(kv: Deno.Kv, after?: string): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    prefix: SIGN_UPS.prefix,
    after,
    batchSize: PAGE_SIZE,
    form: { schema: keptSignUpSchema, of: (email, record) => ({ email, ...record }) },
  });
  for await (const { entries, unreadable } of batches) {
    const records = entries.map(({ key, value, versionstamp }) => {
      return { email: addressOf(key), record: value, versionstamp };
    });
    yield { records, unreadable };
  }
}
