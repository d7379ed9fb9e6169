/** Adds what follows from the records alone: keys and counters that earlier versions did not have. @module */
import { oneAhead } from "../../../../shared/one_ahead.ts";
import { type Counter, CounterChanges, type SignUpRecord } from "../../../waitlist/mod.ts";
import type { Commit, Entry } from "../engine.ts";
import { addressOf, counterKey, invitationCodeKey, SIGN_UPS } from "../keys.ts";
import { readEntries } from "../pages.ts";
import type { Migration } from "../schema.ts";

/** @param size records that are read at once, whose additions fit into one commit */
const addingOf = (
  size: number,
  write: (commit: Commit, records: Entry<SignUpRecord>[]) => void,
): Migration["batches"] =>
  async function* (kv, after) {
    const records = { ...SIGN_UPS, after: after && addressOf(after), batchSize: size };
    for await (const batch of oneAhead(readEntries<SignUpRecord>(kv, records))) {
      yield { ...batch, write: (commit) => write(commit, batch.entries) };
    }
  };

/** Schema 5: each invitation can be found by its code. The longest addresses make keys for a commit of 150 of them. */
export const INVITATION_CODES: Migration = {
  to: 5,
  batches: addingOf(150, (commit, records) => {
    for (const { key, value: { invitationCode: code } } of records) {
      if (code) commit.set(invitationCodeKey(code, addressOf(key)), true);
    }
  }),
};

const ADDED: Counter[0][] = ["withAnswers", "wentOn"];

/** Schema 6: sign-ups are counted by day with their answers, and by week with how far they came. */
export const GROWTH_COUNTERS: Migration = {
  to: 6,
  batches: addingOf(300, (commit, records) => {
    const all = new CounterChanges();
    for (const { value } of records) all.replace(undefined, value);
    for (const { counter, by } of all) {
      if (ADDED.includes(counter[0])) commit.add(counterKey(counter), by);
    }
  }),
};
