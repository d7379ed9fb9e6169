/** Schema 5: each invitation can be found by its code. @module */
import { invitationCodeKey, SIGN_UPS, signUpKey } from "../keys.ts";
import { readEntries } from "../pages.ts";
import type { Migration } from "../schema.ts";

/** Records that are read at once: a commit takes the keys of so many of the longest addresses. */
const PAGE = 150;

export const INVITATION_CODES: Migration = {
  to: 5,
  async *batches(kv, after) {
    const behind = after && String(after[1]);
    const records = { ...SIGN_UPS, after: behind, batchSize: PAGE };
    for await (
      const { entries, unreadable } of readEntries<{ invitationCode?: string }>(kv, records)
    ) {
      const keys = entries.flatMap(({ key, value: { invitationCode: code } }) =>
        code ? [invitationCodeKey(code, String(key[1]))] : []
      );
      const last = entries.at(-1)?.key;
      yield {
        write: (commit) => keys.forEach((key) => commit.set(key, true)),
        records: keys.length,
        unreadable,
        after: last && signUpKey(String(last[1])),
      };
    }
  },
};
