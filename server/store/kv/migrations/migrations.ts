/**
 * The migrations that upgrade a store, one for each version of the schema. `mod.ts` runs them.
 *
 * A migration uses the rules of today (`waitlist/`) for what it adds, because the commits of this program change and
 * delete the entries and counters of every record by these rules. A later change of a rule comes with a migration of
 * its own.
 * @module
 */
import { oneAhead } from "../../../../shared/one_ahead.ts";
import {
  type Counter,
  CounterChanges,
  LineChanges,
  marksOf,
  type SignUpRecord,
} from "../../../waitlist/mod.ts";
import { readMany } from "../calls.ts";
import type { Commit, Entry } from "../engine.ts";
import {
  addressesOf,
  addressOf,
  counterKey,
  ERASURE_MARKS,
  invitationCodeKey,
  LINE,
  lineKey,
  nameOf,
  peopleSelector,
  personIdKey,
  personKey,
  personOf,
  REFERRED,
  SIGN_UPS,
  signUpKey,
} from "../keys.ts";
import { pages, readEntries } from "../pages.ts";
import type { Migration } from "../schema.ts";
import { JSON_VALUES, removeAll } from "./json_values.ts";

/** The migrations, by the version to which each migration leads. */
export type Migrations = Record<number, Migration>;

/**
 * Makes the batches of a migration that adds entries or counters for each record.
 * @param options.batchSize how many records are read at once, and share a commit
 * @param options.write adds the entries of some records to their commit
 */
const addForEachRecord = (
  { batchSize, write }: {
    batchSize: number;
    write: (commit: Commit, records: Entry<SignUpRecord>[]) => void;
  },
): NonNullable<Migration["batches"]> =>
  async function* (kv, after) {
    const selector = { ...SIGN_UPS, after: after && addressOf(after), limit: batchSize };
    for await (const batch of oneAhead(readEntries<SignUpRecord>(kv, selector))) {
      yield { ...batch, write: (commit) => write(commit, batch.entries) };
    }
  };

/**
 * Schema 5: each invitation can be found by its code. A commit has room for the keys of 150 records with the longest
 * addresses.
 */
const INVITATION_CODES: Migration = {
  to: 5,
  batches: addForEachRecord({
    batchSize: 150,
    write(commit, records) {
      for (const { key, value: { invitationCode: code } } of records) {
        if (code) commit.set(invitationCodeKey(code, addressOf(key)), true);
      }
    },
  }),
};

/** Adds the changes of some kinds of counters to a commit. */
function addCounters(commit: Commit, changes: CounterChanges, kinds: Counter[0][]): void {
  for (const { counter, delta } of changes) {
    if (kinds.includes(counter[0])) commit.add(counterKey(counter), delta);
  }
}

/**
 * Schema 6: sign-ups are also counted by day, language and form, and by week and the steps that the people have made.
 */
const GROWTH_COUNTERS: Migration = {
  to: 6,
  batches: addForEachRecord({
    batchSize: 300,
    write(commit, records) {
      const changes = new CounterChanges();
      for (const { value: record } of records) changes.replace(undefined, record);
      addCounters(commit, changes, ["withAnswers", "wentOn"]);
    },
  }),
};

/** Schema 7: new letters of one commit share an entry, which earlier programs do not know. No entry changes. */
const NEW_LETTERS: Migration = { to: 7 };

/** An erasure mark of earlier programs for a person who had got letters. */
interface EarlierErasureMark {
  erasedAt: string;
  confirmations?: unknown;
}

const isEarlierErasureMark = (mark: string | EarlierErasureMark): mark is EarlierErasureMark =>
  typeof mark !== "string" && typeof mark?.erasedAt === "string";

/** Schema 8: every erasure mark is a date-time. A mark of an unknown form stays as it is, and a backup reports it. */
const ERASURE_MARK_DATES: Migration = {
  to: 8,
  async *batches(kv, after) {
    const selector = { ...ERASURE_MARKS, after: after && nameOf(after) };
    const batches = readEntries<string | EarlierErasureMark>(kv, selector);
    for await (const batch of oneAhead(batches)) {
      const write = (commit: Commit) => {
        for (const { key, value: erasureMark } of batch.entries) {
          if (isEarlierErasureMark(erasureMark)) commit.set(key, erasureMark.erasedAt);
        }
      };
      yield { ...batch, write };
    }
  },
};

/**
 * Schema 9: there is a list of all people. Each mark, such as `undeliverable`, has a list and a counter. Each record
 * can be found by its id. A commit has room for the keys of 60 records with the longest addresses.
 */
const PEOPLE_LISTS: Migration = {
  to: 9,
  batches: addForEachRecord({
    batchSize: 60,
    write(commit, records) {
      for (const { key, value: record } of records) {
        const { id, createdAt, lang, source, role, building } = record;
        // A record that a fault has damaged is in no list.
        if (typeof createdAt !== "string") continue;
        const listedAnswers = {
          lang,
          ...source && { source },
          ...role && { role },
          ...building && { building },
        };
        const email = addressOf(key);
        commit.set(personKey("all", createdAt, email), listedAnswers);
        if (typeof id === "string") commit.set(personIdKey(id, email), true);
        for (const mark of marksOf(record)) {
          commit.set(personKey(mark, createdAt, email), listedAnswers);
          commit.add(counterKey(["withMark", mark]), 1);
        }
      }
    },
  }),
};

/**
 * Schemas 10 and 12: counters of the place in line. Schema 13 replaces all of these counters, so the migrations to 10
 * and 12 add no counters. Only versions before the first release had these schemas.
 */
const LINE_COUNTERS: Migration = { to: 10 };
const LINE_COUNTERS_BY_32: Migration = { to: 12 };

/**
 * Schema 11: counters count the people whose referral counts. The migration finds these people in the list of referred
 * people, so that it reads few records.
 */
const REFERRAL_COUNTERS: Migration = {
  to: 11,
  async *batches(kv, after) {
    for await (const entries of pages(kv, { ...REFERRED, ...after && { after } })) {
      const records = await readMany<SignUpRecord>(kv, addressesOf(entries).map(signUpKey));
      const changes = new CounterChanges();
      for (const record of records) if (record?.value) changes.replace(undefined, record.value);
      const write = (commit: Commit) => addCounters(commit, changes, ["withReferral"]);
      yield { entries, write };
    }
  },
};

/**
 * Schema 13: the counters of the place in line have other periods. The keys of the new counters have the same form as
 * the keys of the earlier counters, so the migration first removes all earlier counters. If a stopped run has already
 * added new counters, the next run removes nothing. The list of waiting people is read in the order of `createdAt`,
 * because people who signed up at close moments share many counters. A commit has room for 180 people with five
 * counters each.
 */
const LINE_TREE: Migration = {
  to: 13,
  async *batches(kv, after) {
    if (!after) yield* removeAll(kv, LINE.prefix);
    const selector = { ...peopleSelector("waiting"), ...after && { after } };
    for await (const entries of oneAhead(pages(kv, selector, { limit: 180 }))) {
      const changes = new LineChanges();
      for (const { key } of entries) {
        changes.replace(undefined, { createdAt: personOf(key).createdAt, state: "waiting" });
      }
      const write = (commit: Commit) => {
        for (const { counter, delta } of changes) commit.add(lineKey(counter), delta);
      };
      yield { entries, write };
    }
  },
};

export const MIGRATIONS: Migrations = {
  4: JSON_VALUES,
  5: INVITATION_CODES,
  6: GROWTH_COUNTERS,
  7: NEW_LETTERS,
  8: ERASURE_MARK_DATES,
  9: PEOPLE_LISTS,
  10: LINE_COUNTERS,
  11: REFERRAL_COUNTERS,
  12: LINE_COUNTERS_BY_32,
  13: LINE_TREE,
};
