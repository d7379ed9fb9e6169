/**
 * The entry of the schema: its form, its reads and its writes, and the form of the migrations that upgrade it. The
 * entry holds the version of the schema of all keys (`keys.ts`) and values, and the erasure keys. Every commit of a
 * record checks the entry, so that no record is written any more once another version of the program has begun to
 * change the store (decisions, "Readiness, schema"). @module
 */
import { base64url } from "jose";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { readMany, readOne } from "./calls.ts";
import type { Commit, Key, Kv, MaybeEntry } from "./engine.ts";
import { SCHEMA } from "./keys.ts";

/** The version of the schema that this program reads and writes. */
export const SCHEMA_VERSION = 13;

/** The value of the key `SCHEMA`. */
export interface StoredSchema {
  /** The version of the schema. */
  version: number;
  migrating?: MigrationState;
  /** The erasure keys in base64url, 32 bytes each; absent until the first address is hashed. */
  erasureKeys?: string;
  /**
   * A number that grows by 1 with each recount of the counters, and with each commit that corrects counters; absent
   * before the first recount or correction. Each commit of a record stores the number in the record.
   */
  recounts?: number;
  /** How many records were removed in all. A recount compares this number to notice a removal. */
  removals?: number;
}

/** The progress of a migration. */
export interface MigrationState {
  /** The version that the migration leads to. */
  to: number;
  /** The random id of the process that runs the migration. */
  by: string;
  /** The number of batches that are written. */
  batch: number;
  /** The number of records in the batches that are written. */
  records: number;
  /** The key after which the next batch begins; absent before the first batch. */
  after?: Key;
}

/** The upgrade of the store by one version of the schema. */
export interface Migration {
  /** The version to which the migration leads. */
  to: number;
  /**
   * Reads entries that the migration changes, and gives their changes; absent if no entry changes. If an earlier run
   * was stopped, `after` is the last key that the earlier run has reached, and the entries up to this key are left out.
   * No other process writes records meanwhile.
   */
  batches?: (kv: Kv, after: Key | undefined) => AsyncGenerator<MigrationBatch>;
}

/** Some entries, and their changes in one commit. */
export interface MigrationBatch {
  /** Adds the changes to a commit. The function is called again if the commit did not go through. */
  write: (commit: Commit) => void;
  /** The entries of the batch, in the order of their keys. */
  entries: { key: Key }[];
  /** Records that stay as they are, because they cannot be read. */
  unreadable?: UnreadableRecord[];
}

/** The schema as it was read, for commits that check or write it. */
export interface SchemaSnapshot {
  /** The entry of the schema, which commits check. */
  entry: MaybeEntry<StoredSchema>;
  /** The erasure keys, 32 bytes each: first the store's own key, then the keys of restored backups. */
  erasureKeys: Uint8Array | undefined;
}

/** Is thrown if the store has the schema of another version of the program, or has lost its schema. */
export class SchemaError extends Error {}

/** What to do if the entry of the schema is gone, for the log and for errors. */
export const SCHEMA_VANISHED =
  "The entry of the schema is gone, so KV is now another store, or is empty. " +
  "Give the service its own store again. If that store is lost, restart the service, and restore a backup";

/** Reads the schema. @throws {SchemaError} if the schema has another version */
export async function readSchema(kv: Kv): Promise<SchemaSnapshot> {
  return toSnapshot(await readOne<StoredSchema>(kv, SCHEMA));
}

/** Reads the schema, and entries as `readMany()` does. @throws {SchemaError} if the schema has another version */
export async function readWithSchema<T>(kv: Kv, keys: Key[]) {
  const [schemaEntry, ...entries] = await readMany<unknown>(kv, [SCHEMA, ...keys]);
  if (!schemaEntry) throw new Error("KV cannot read the entry of the schema.");
  return {
    schema: toSnapshot(schemaEntry as MaybeEntry<StoredSchema>),
    entries: entries as (MaybeEntry<T> | undefined)[],
  };
}

/**
 * Gives the schema in an entry. An absent entry gives the schema of an empty store.
 * @throws {SchemaError} if the schema has another version
 */
function toSnapshot(entry: MaybeEntry<StoredSchema>): SchemaSnapshot {
  const fault = schemaFault(entry.value);
  if (fault) throw new SchemaError(fault);
  const storedKeys = entry.value?.erasureKeys;
  return {
    entry,
    erasureKeys: storedKeys === undefined ? undefined : base64url.decode(storedKeys),
  };
}

/** Gives a sentence that says why this program cannot work with a store; `undefined` if it can. */
export function schemaFault(schema: StoredSchema | null): string | undefined {
  if (!schema) return undefined;
  const version = schema.migrating?.to ?? schema.version;
  if (version > SCHEMA_VERSION) {
    return `The store has the schema version ${version}, and this program knows versions up to ` +
      `${SCHEMA_VERSION}. Start the version of the program that has upgraded the store, or a newer one`;
  }
  if (schema.version < SCHEMA_VERSION) {
    return `The store has the schema version ${schema.version}, and this program needs ` +
      `${SCHEMA_VERSION}. Start the program again, which upgrades the store`;
  }
}

/** Lets a commit write the entry of the schema. The erasure keys and the other changes become members of the entry. */
export function setSchema(
  commit: Commit,
  { entry, erasureKeys }: SchemaSnapshot,
  changes: Pick<StoredSchema, "recounts" | "removals"> = {},
): void {
  commit.set(SCHEMA, {
    ...entry.value ?? { version: SCHEMA_VERSION },
    ...erasureKeys && { erasureKeys: base64url.encode(erasureKeys) },
    ...changes,
  });
}
