/**
 * Reads the records of sign-ups, and writes to the counters that are kept with them.
 *
 * @module
 */
import { keptSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { addressOf, readEntries, SIGN_UPS } from "../kv/mod.ts";

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
 * @param size the most records in a page, if it is to be shorter than others
 */
export async function* readSignUpPages(
  kv: Deno.Kv,
  after?: string,
  size?: number,
): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    ...SIGN_UPS,
    after,
    ...size && { batchSize: size },
    form: { schema: keptSignUpSchema, of: (email, record) => ({ email, ...record }) },
  });
  for await (const { entries, unreadable } of batches) {
    const records = entries.map(({ key, value, versionstamp }) => {
      return { email: addressOf(key), record: value, versionstamp };
    });
    yield { records, unreadable };
  }
}
