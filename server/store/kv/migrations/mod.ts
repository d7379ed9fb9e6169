/**
 * Upgrades the store to the schema of this program before the service listens. One process at a time does so, in
 * batches, and goes on where a killed process stopped. Each batch is one commit, which also writes the progress and
 * checks the entry of the schema. So no batch is written twice, and a process whose work another one has taken over
 * writes nothing. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { base64url } from "jose";
import { oneAhead } from "../../../../shared/one_ahead.ts";
import { onDeno, type Runtime } from "../../../runtime/mod.ts";
import {
  type Counter,
  CounterChanges,
  LineChanges,
  marksOf,
  type SignUpRecord,
} from "../../../waitlist/mod.ts";
import { assertReadable, commitChange, readOne, retry } from "../calls.ts";
import { Commit, type Entry, type Kv } from "../engine.ts";
import {
  addressOf,
  counterKey,
  ERASED,
  invitationCodeKey,
  lineKey,
  personIdKey,
  personKey,
  PROOFS,
  SCHEMA,
  SIGN_UPS,
} from "../keys.ts";
import type { NamedKv } from "../open.ts";
import { readEntries } from "../pages.ts";
import {
  type Migration,
  type MigrationBatch,
  type MigrationState,
  SCHEMA_VERSION,
  SchemaError,
  schemaFault,
  type StoredSchema,
} from "../schema.ts";
import { JSON_VALUES } from "./json_values.ts";

/**
 * Makes a step that adds entries or counters to each record.
 * @param size how many records are read at once, and share a commit
 * @param write adds the entries of some records to their commit
 */
const addingOf = (
  size: number,
  write: (commit: Commit, records: Entry<SignUpRecord>[]) => void,
): NonNullable<Migration["batches"]> =>
  async function* (kv, after) {
    const records = { ...SIGN_UPS, after: after && addressOf(after), batchSize: size };
    for await (const batch of oneAhead(readEntries<SignUpRecord>(kv, records))) {
      yield { ...batch, write: (commit) => write(commit, batch.entries) };
    }
  };

/**
 * Schema 5: each invitation can be found by its code. A commit has room for the keys of 150 records with the longest
 * addresses.
 */
const INVITATION_CODES: Migration = {
  to: 5,
  batches: addingOf(150, (commit, records) => {
    for (const { key, value: { invitationCode: code } } of records) {
      if (code) commit.set(invitationCodeKey(code, addressOf(key)), true);
    }
  }),
};

/** The counters that schema 6 adds. */
const ADDED: Counter[0][] = ["withAnswers", "wentOn"];

/** Schema 6: sign-ups are also counted by day with their answers, and by week with the step that they have reached. */
const GROWTH_COUNTERS: Migration = {
  to: 6,
  batches: addingOf(300, (commit, records) => {
    const all = new CounterChanges();
    for (const { value } of records) all.replace(undefined, value);
    for (const { counter, by } of all) {
      if (ADDED.includes(counter[0])) commit.add(counterKey(counter), by);
    }
  }),
};

/** Schema 7: new letters of one commit share an entry, which earlier programs do not know. No entry changes. */
const NEW_LETTERS: Migration = { to: 7 };

/** An erasure mark of earlier programs for a person who had got letters. */
interface MarkWithLetters {
  erasedAt: string;
  confirmations?: unknown;
}

/** Schema 8: every erasure mark is a date-time. A mark of an unknown form stays as it is, and a backup names it. */
const ERASURE_MARKS: Migration = {
  to: 8,
  async *batches(kv, after) {
    const marks = readEntries<string | MarkWithLetters>(kv, {
      ...ERASED,
      after: after && String(after[1]),
    });
    for await (const batch of oneAhead(marks)) {
      const old = batch.entries.flatMap(({ key, value }) =>
        typeof value !== "string" && typeof value?.erasedAt === "string"
          ? [{ key, erasedAt: value.erasedAt }]
          : []
      );
      const write = (commit: Commit) =>
        old.forEach(({ key, erasedAt }) => commit.set(key, erasedAt));
      yield { ...batch, write };
    }
  },
};

/**
 * Schema 9: there is a list of everybody, and a list with a counter for each mark such as `undeliverable`. Each
 * record can be found by its id. A commit has room for the keys of 60 records with the longest addresses.
 */
const PEOPLE_LISTS: Migration = {
  to: 9,
  batches: addingOf(60, (commit, records) => {
    for (const { key, value } of records) {
      const { id, createdAt, lang, source, role, building } = value;
      // A record that a fault has damaged is in no list.
      if (typeof createdAt !== "string") continue;
      const entry = { lang, ...source && { source }, ...role && { role } };
      const listed = { ...entry, ...building && { building } };
      const email = addressOf(key);
      commit.set(personKey("all", createdAt, email), listed);
      if (typeof id === "string") commit.set(personIdKey(id, email), true);
      for (const mark of marksOf(value)) {
        commit.set(personKey(mark, createdAt, email), listed);
        commit.add(counterKey(["withMark", mark]), 1);
      }
    }
  }),
};

/** Schema 10: the place in line has counters. A commit has room for the counters of 200 people. */
const LINE_COUNTERS: Migration = {
  to: 10,
  batches: addingOf(200, (commit, records) => {
    const line = new LineChanges();
    for (const { value } of records) line.replace(undefined, value);
    for (const { counter, by } of line) commit.add(lineKey(counter), by);
  }),
};

/** The steps, by the version to which each leads. */
export type Migrations = Record<number, Migration>;

const MIGRATIONS: Migrations = {
  4: JSON_VALUES,
  5: INVITATION_CODES,
  6: GROWTH_COUNTERS,
  7: NEW_LETTERS,
  8: ERASURE_MARKS,
  9: PEOPLE_LISTS,
  10: LINE_COUNTERS,
};

/** The number of records after which the log gets a further line. */
const PROGRESS_STEP = 100_000;

export interface SchemaOptions
  extends Pick<NamedKv, "kv" | "isShared">, Pick<Runtime, "monotonic" | "random" | "log"> {
  /** Waits for a number of milliseconds; by a timer if absent. */
  pause?: (ms: number) => Promise<unknown>;
  /** The steps of the upgrade; those of this program if absent. */
  migrations?: Migrations;
}

const NEEDS_DENO =
  "The store is from before schema version 4, and only Deno can read its values; " +
  "start this program once on Deno, which upgrades the store";

/** The time between two reads of another process's progress, in milliseconds. */
const PROGRESS_READ_MS = 500;

/** After how many milliseconds without progress another process is taken for ended. */
const STALLED_MS = 10_000;

/**
 * Resolves once the store has the schema version of this program.
 * @throws {SchemaError} where the store's version is newer, or too old to upgrade
 */
export async function openSchema(options: SchemaOptions): Promise<void> {
  const { kv, isShared, random, log, migrations = MIGRATIONS } = options;
  const by = base64url.encode(random(12));
  let other: string | undefined;
  for (;;) {
    const entry = await retry(() => findSchema(kv));
    if (!entry) continue;
    const { version, migrating } = entry.value;
    if (version === SCHEMA_VERSION && !migrating) return;
    const target = migrating?.to ?? version + 1;
    if (target > SCHEMA_VERSION) throw new SchemaError(schemaFault(entry.value));
    const migration = migrations[target];
    if (!migration) {
      throw new SchemaError(
        `The store has the schema version ${version}, which this program cannot upgrade. It was written ` +
          "before the first release; start the program that wrote it, or give a new store",
      );
    }
    if (target <= JSON_VALUES.to && !onDeno) throw new SchemaError(NEEDS_DENO);
    // Only one process has a file open, so the process that began the upgrade of a file has ended.
    if (migrating && isShared) {
      if (migrating.by !== other) {
        const { records } = migrating;
        log.info("waiting for another process, which upgrades the store", { records });
      }
      other = migrating.by;
      if (!await isStalled(entry, options)) continue;
    }
    await migrate(entry, migration, { ...options, by });
  }
}

type SchemaEntry = Entry<StoredSchema>;

/**
 * Reads the entry of the schema, and makes a missing entry. A store without this entry has version 1 if it has other
 * entries.
 * @returns the entry; `undefined` where it has to be read again
 */
async function findSchema(kv: Kv): Promise<SchemaEntry | undefined> {
  const [found] = await kv.get<StoredSchema>([SCHEMA]);
  if (!onDeno && "fault" in found!) throw new SchemaError(NEEDS_DENO);
  const entry = assertReadable(found!);
  if (entry.value) return entry;
  // Entries that are proofs do not count, because a process that ended before its first commit may have left proofs.
  const first = await kv.list({ prefix: [] }, { limit: 50 });
  const isEmpty = first.every(({ key }) => key[0] === PROOFS.prefix[0]);
  await kv.commit(new Commit().check(entry).set(SCHEMA, { version: isEmpty ? SCHEMA_VERSION : 1 }));
}

/** Follows the upgrade by another process. @returns true where that process makes no progress for `STALLED_MS` */
async function isStalled(
  { version }: SchemaEntry,
  { kv, monotonic, pause = delay }: SchemaOptions,
): Promise<boolean> {
  const began = monotonic();
  while (monotonic() - began < STALLED_MS) {
    await pause(PROGRESS_READ_MS);
    const now = await retry(() => readOne<StoredSchema>(kv, SCHEMA));
    if (now.version !== version) return false;
  }
  return true;
}

/** Makes the changes of a step, and ends early where another process has taken over. */
async function migrate(
  entry: SchemaEntry,
  { to, batches }: Migration,
  { kv, by, log }: SchemaOptions & { by: string },
): Promise<void> {
  const { version, migrating, ...others } = entry.value;
  let state: MigrationState = { batch: 0, records: 0, ...migrating, to, by };
  const report = () => log.info("upgrading the store", { version, to, records: state.records });
  report();
  let current = await advance(kv, entry, { ...others, version, migrating: state }, () => {});
  for await (const { write, entries, unreadable = [] } of batches?.(kv, state.after) ?? []) {
    if (!current) return;
    if (unreadable.length > 0) {
      log.warn("records cannot be read and stay as they are; 'counters verify' names them", {
        records: unreadable.length,
      });
    }
    const reported = Math.floor(state.records / PROGRESS_STEP);
    state = { ...state, batch: state.batch + 1, records: state.records + entries.length };
    const last = entries.at(-1);
    if (last) state.after = last.key;
    current = await advance(kv, current, { ...others, version, migrating: state }, write);
    if (Math.floor(state.records / PROGRESS_STEP) > reported) report();
  }
  if (!current) return;
  if (await advance(kv, current, { ...others, version: to }, () => {})) {
    log.info("the store is upgraded", { version: to, records: state.records });
  }
}

/**
 * Writes the entry of the schema together with changes.
 * @returns the new entry; `undefined` where another process has written it meanwhile
 */
function advance(kv: Kv, entry: SchemaEntry, schema: StoredSchema, write: MigrationBatch["write"]) {
  return commitChange<SchemaEntry | undefined>(kv, async () => {
    const now = await readOne<StoredSchema>(kv, SCHEMA);
    if (now.version !== entry.version) return { result: () => undefined };
    const commit = new Commit().check(entry).set(SCHEMA, schema);
    write(commit);
    return { commit, result: (version) => ({ key: SCHEMA, value: schema, version }) };
  });
}
