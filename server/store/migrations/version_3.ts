/**
 * Makes version 3 of the schema: every record has a state, and an entry in the list of the people in that
 * state. Whoever is on the list waits, as nobody was asked to confirm before.
 *
 * @module
 */
import type { SignUpRecord } from "../../waitlist/record.ts";
import { readEntries } from "../entries.ts";
import { addressOf, counterKey, SIGN_UPS } from "../keys.ts";
import { writeRecord } from "../people.ts";
import { addToNumber } from "../records.ts";
import type { CreateMigration } from "./migration.ts";

/** Records in a batch: a commit takes 81,920 bytes of keys, and a record and its entry have 564 at the most. */
const RECORDS_AT_ONCE = 140;

/** Makes the migration from version 2. */
export const toVersion3: CreateMigration = () => ({
  to: 3,
  async *batches(kv, after) {
    const records = readEntries<Omit<SignUpRecord, "state">>(kv, {
      prefix: SIGN_UPS.prefix,
      after,
      batchSize: RECORDS_AT_ONCE,
    });
    for await (const { entries, unreadable } of records) {
      // A record that is damaged is left to 'counters verify', which names it.
      const sound = entries.filter(({ value }) => typeof value?.createdAt === "string");
      yield {
        write(commit) {
          for (const { key, value } of sound) {
            const after: SignUpRecord = { ...value, state: "waiting" };
            writeRecord(commit, addressOf(key), { before: undefined, after });
          }
          addToNumber(commit, counterKey(["byState", "waiting"]), sound.length);
        },
        records: entries.length,
        unreadable,
        after: entries.at(-1)?.key.at(-1) as string | undefined,
      };
    }
  },
  finish: () => Promise.resolve({ write: () => {}, schema: {} }),
});
