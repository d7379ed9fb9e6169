/** Schema 6: sign-ups are counted by day with their answers, and by week with how far they came. @module */
import { type Counter, CounterChanges, type SignUpRecord } from "../../../waitlist/mod.ts";
import { counterKey, SIGN_UPS, signUpKey } from "../keys.ts";
import { readEntries } from "../pages.ts";
import type { Migration } from "../schema.ts";

/** Records that are read at once: each moves two of these counters. */
const PAGE = 300;

const ADDED: Counter[0][] = ["withAnswers", "wentOn"];

export const GROWTH_COUNTERS: Migration = {
  to: 6,
  async *batches(kv, after) {
    const records = { ...SIGN_UPS, after: after && String(after[1]), batchSize: PAGE };
    for await (const { entries, unreadable } of readEntries<SignUpRecord>(kv, records)) {
      const all = new CounterChanges();
      for (const { value } of entries) all.replace(undefined, value);
      const changes = [...all].filter(({ counter: [kind] }) => ADDED.includes(kind));
      const last = entries.at(-1)?.key;
      yield {
        write: (commit) =>
          changes.forEach(({ counter, by }) => commit.add(counterKey(counter), by)),
        records: entries.length,
        unreadable,
        after: last && signUpKey(String(last[1])),
      };
    }
  },
};
