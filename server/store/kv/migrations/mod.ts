/**
 * Upgrades the store to the schema of this program before the service listens, by the migrations in `migrations.ts`,
 * each of which leads to the next version. One process at a time does so, in batches, and goes on where a killed
 * process stopped. Each batch is one commit, which also writes the progress and checks the entry of the schema. So no
 * batch is written twice, and a process writes nothing once another process has taken over its work. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { base64url } from "jose";
import { isDeno, type Runtime } from "../../../runtime/mod.ts";
import { assertReadable, commitChange, readOne, retry } from "../calls.ts";
import { Commit, type Entry, type Kv } from "../engine.ts";
import { PROOFS, SCHEMA } from "../keys.ts";
import type { OpenStore } from "../open.ts";
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
import { MIGRATIONS, type Migrations } from "./migrations.ts";

/** The number of records after which the log gets a further line about the progress. */
const PROGRESS_STEP = 100_000;

/** The time between two reads of another process's progress, in milliseconds. */
const PROGRESS_READ_MS = 500;

/** After how many milliseconds without progress another process counts as ended. */
const STALLED_MS = 10_000;

/** The number of random bytes in the id of a process. */
const PROCESS_ID_BYTES = 12;

/**
 * How many of the first entries show whether a store is empty. Proofs do not count as entries here, because a process
 * that ended before its first commit may have left proofs. Few entries are enough, because every store that was used
 * has a key that sorts before all proofs, such as a root key.
 */
const FIRST_ENTRIES = 50;

const NEEDS_DENO =
  "The store is from before schema version 4, and only Deno can read its values; " +
  "start this program once on Deno, which upgrades the store";

export interface UpgradeOptions
  extends Pick<OpenStore, "kv" | "isShared">, Pick<Runtime, "monotonic" | "random" | "log"> {
  /** Waits for a number of milliseconds. The default waits by a timer. */
  pause?: (ms: number) => Promise<unknown>;
  /** The migrations that can run; by default, the migrations of this program. */
  migrations?: Migrations;
}

/**
 * The entry of the schema in KV. Its `version` changes with each write of the entry; `value.version` is the version of
 * the schema.
 */
type SchemaEntry = Entry<StoredSchema>;

/**
 * Resolves once the store has the schema version of this program.
 * @throws {SchemaError} if the store's version is newer, is too old to upgrade, or can be upgraded only on Deno
 */
export async function upgradeStore(options: UpgradeOptions): Promise<void> {
  const { kv, isShared, random, log, migrations = MIGRATIONS } = options;
  const processId = base64url.encode(random(PROCESS_ID_BYTES));
  /** The id of the last process for which this process has waited. */
  let awaitedId: string | undefined;
  for (;;) {
    const entry = await retry(() => findOrCreateSchema(kv));
    if (!entry) continue;
    const migration = nextMigration(entry.value, migrations);
    if (!migration) return;
    // Only one process has a file open, so the process that began the upgrade of a file has ended.
    const otherProgress = isShared ? entry.value.migrating : undefined;
    if (otherProgress) {
      if (otherProgress.by !== awaitedId) {
        log.info(
          "another process is upgrading the store, and this process waits; 'records' is the number of records handled so far",
          { records: otherProgress.records },
        );
      }
      awaitedId = otherProgress.by;
      if (!await isStalled(entry, options)) continue;
    }
    await migrate(entry, migration, { kv, log, processId });
  }
}

/**
 * Reads the entry of the schema, and makes a missing entry. A store without this entry has version 1 if it has other
 * entries.
 * @returns the entry; `undefined` if the entry has to be read again
 */
async function findOrCreateSchema(kv: Kv): Promise<SchemaEntry | undefined> {
  const [stored] = await kv.get<StoredSchema>([SCHEMA]);
  if (!isDeno && "fault" in stored!) throw new SchemaError(NEEDS_DENO);
  const entry = assertReadable(stored!);
  if (entry.value) return entry;
  const firstEntries = await kv.list({ prefix: [] }, { limit: FIRST_ENTRIES });
  const isEmpty = firstEntries.every(({ key }) => key[0] === PROOFS.prefix[0]);
  await kv.commit(new Commit().check(entry).set(SCHEMA, { version: isEmpty ? SCHEMA_VERSION : 1 }));
  return undefined;
}

/**
 * Gives the next migration; `undefined` if the store has the schema of this program.
 * @throws {SchemaError} if the store's version is newer, is too old to upgrade, or can be upgraded only on Deno
 */
function nextMigration(schema: StoredSchema, migrations: Migrations): Migration | undefined {
  const { version, migrating } = schema;
  if (version === SCHEMA_VERSION && !migrating) return undefined;
  const target = migrating?.to ?? version + 1;
  if (target > SCHEMA_VERSION) throw new SchemaError(schemaFault(schema));
  const migration = migrations[target];
  if (!migration) {
    throw new SchemaError(
      `The store has the schema version ${version}, which this program cannot upgrade. It was written ` +
        "before the first release; start the program that wrote it, or give a new store",
    );
  }
  if (target <= JSON_VALUES.to && !isDeno) throw new SchemaError(NEEDS_DENO);
  return migration;
}

/** Follows the upgrade by another process. @returns true if that process makes no progress for `STALLED_MS` */
async function isStalled(
  entry: SchemaEntry,
  { kv, monotonic, pause = delay }: UpgradeOptions,
): Promise<boolean> {
  const startedAt = monotonic();
  while (monotonic() - startedAt < STALLED_MS) {
    await pause(PROGRESS_READ_MS);
    const currentEntry = await retry(() => readOne<StoredSchema>(kv, SCHEMA));
    if (currentEntry.version !== entry.version) return false;
  }
  return true;
}

interface MigrateOptions extends Pick<UpgradeOptions, "kv" | "log"> {
  processId: string;
}

/** Makes the changes of a migration, and ends early if another process has taken over. */
async function migrate(
  entry: SchemaEntry,
  { to, batches }: Migration,
  { kv, log, processId }: MigrateOptions,
): Promise<void> {
  const { migrating, ...schema } = entry.value;
  let progress: MigrationState = { batch: 0, records: 0, ...migrating, to, by: processId };
  const logProgress = () =>
    log.info("upgrading the store; 'records' is the number of records handled so far", {
      version: schema.version,
      to,
      records: progress.records,
    });
  logProgress();
  let writtenEntry = await writeSchema(kv, entry, { ...schema, migrating: progress });
  for await (const { write, entries, unreadable = [] } of batches?.(kv, progress.after) ?? []) {
    if (!writtenEntry) return;
    if (unreadable.length > 0) {
      log.warn(
        "the upgrade did not change some records, because they cannot be read; 'waitlist counters verify' names these " +
          "records",
        { records: unreadable.length },
      );
    }
    const loggedSteps = Math.floor(progress.records / PROGRESS_STEP);
    progress = {
      ...progress,
      batch: progress.batch + 1,
      records: progress.records + entries.length,
    };
    const lastEntry = entries.at(-1);
    if (lastEntry) progress.after = lastEntry.key;
    writtenEntry = await writeSchema(kv, writtenEntry, { ...schema, migrating: progress }, write);
    if (Math.floor(progress.records / PROGRESS_STEP) > loggedSteps) logProgress();
  }
  if (writtenEntry && await writeSchema(kv, writtenEntry, { ...schema, version: to })) {
    log.info("the store is upgraded; 'records' is the number of records handled", {
      version: to,
      records: progress.records,
    });
  }
}

/**
 * Writes the entry of the schema.
 * @param entry the entry as this process has read or written it last
 * @param write adds other changes to the commit
 * @returns the new entry; `undefined` if another process has written the entry meanwhile
 */
function writeSchema(
  kv: Kv,
  entry: SchemaEntry,
  schema: StoredSchema,
  write?: MigrationBatch["write"],
): Promise<SchemaEntry | undefined> {
  return commitChange<SchemaEntry | undefined>(kv, async () => {
    const currentEntry = await readOne<StoredSchema>(kv, SCHEMA);
    if (currentEntry.version !== entry.version) return { result: () => undefined };
    const commit = new Commit().check(entry).set(SCHEMA, schema);
    write?.(commit);
    return { commit, result: (version) => ({ key: SCHEMA, value: schema, version }) };
  });
}
