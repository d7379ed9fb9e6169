import type { SignUpRecord } from "../waitlist/record.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { addressOf, SIGN_UPS, signUpKey } from "./keys.ts";

/**
 * Records in a page, which is one snapshot. KV would read 500 in one go, but whatever else the process
 * has to do waits for a page; below 200 the calls begin to cost more than the records.
 */
const PAGE_SIZE = 200;

/** A record and its address. */
export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
}

/**
 * Reads all records in the order of their addresses, page by page, each when it is asked for. A record
 * that comes, changes or goes meanwhile is read as it is when its page is.
 *
 * @param after the address to begin behind; it need not be there any more
 */
export async function* readSignUpPages(
  kv: Deno.Kv,
  after?: string,
): AsyncGenerator<AddressedRecord[]> {
  for (let last = after;;) {
    // The key right behind an address is that of the address with a NUL.
    const selector = last === undefined ? SIGN_UPS : { ...SIGN_UPS, start: signUpKey(`${last}\0`) };
    const entries = await withDeadline(
      DEADLINE_MS,
      () =>
        Array.fromAsync(
          kv.list<SignUpRecord>(selector, { limit: PAGE_SIZE, batchSize: PAGE_SIZE }),
        ),
    );
    const page = entries.map(({ key, value }) => ({ email: addressOf(key), record: value }));
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    last = page.at(-1)?.email;
  }
}
