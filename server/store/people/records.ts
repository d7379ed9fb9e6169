/** Reads the records of sign-ups. @module */
import { keptSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { addressOf, readEntries, SIGN_UPS } from "../kv/mod.ts";

export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
  versionstamp: string;
}

export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads all records in the order of their addresses, from behind an address, which need not have a record. What
 * changes meanwhile is read as it is when its page is read.
 *
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
