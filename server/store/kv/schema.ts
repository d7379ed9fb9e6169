/**
 * The version of the schema (`keys.ts`). It shares one entry with the erasure keys, which every commit of a record
 * checks: so no commit goes through once another version of the program has begun to change the store (decisions,
 * "Readiness, schema"). @module
 */
import { base64url } from "jose";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { readMany, readOne, VALUE_FAULT } from "./calls.ts";
import type { Commit, Entry, Key, Kv, MaybeEntry } from "./engine.ts";
import { SCHEMA } from "./keys.ts";

export const SCHEMA_VERSION = 9;

export interface StoredSchema {
  version: number;
  migrating?: MigrationState;
  /** The erasure keys in base64url, 32 bytes each; absent until the first address is hashed. */
  erasureKeys?: string;
  /** The number of the latest recount; every record that is written from then on carries it. */
  recounts?: number;
  removals?: number;
}

export interface MigrationState {
  to: number;
  /** The random id of the process that runs it. */
  by: string;
  batch: number;
  records: number;
  /** The key behind which the next batch begins; absent before the first batch. */
  after?: Key;
}

export interface Migration {
  to: number;
  /**
   * Reads behind the key where an earlier run stopped; absent where no entry changes. Nothing else writes to the store
   * meanwhile.
   */
  batches?: (kv: Kv, after: Key | undefined) => AsyncGenerator<MigrationBatch>;
}

export interface MigrationBatch {
  /** Adds the changes to a commit; is called again where a commit gave no answer. */
  write: (commit: Commit) => void;
  /** The records that are brought up, in their order. */
  entries: Entry[];
  /** Records that stay as they are, as they cannot be read. */
  unreadable?: UnreadableRecord[];
}

/** The entry, which commits check, and the erasure keys: the store's own, and behind it those of restored backups. */
export interface StoreSchema {
  entry: MaybeEntry<StoredSchema>;
  erasureKeys: Uint8Array | undefined;
}

export class SchemaError extends Error {}

export const SCHEMA_VANISHED =
  "The entry of the schema is gone, so this is another store, or an empty one. " +
  "Give it the store's own file again; if it is lost, restart the service, and restore a backup";

export async function readSchema(kv: Kv): Promise<StoreSchema> {
  return toSchema(await readOne<StoredSchema>(kv, SCHEMA));
}

/** Reads the schema, which commits of people check, and entries as `readMany()` does. */
export async function readWithSchema<T>(kv: Kv, keys: Key[]) {
  const [schemaEntry, ...entries] = await readMany<unknown>(kv, [SCHEMA, ...keys]);
  if (!schemaEntry) throw new Error(`The entry of the schema: ${VALUE_FAULT}`);
  return {
    schema: toSchema(schemaEntry as MaybeEntry<StoredSchema>),
    entries: entries as (MaybeEntry<T> | undefined)[],
  };
}

/** Gives the schema of an entry; a store without it is empty. @throws {SchemaError} for another version */
function toSchema(entry: MaybeEntry<StoredSchema>): StoreSchema {
  const fault = schemaFault(entry.value);
  if (fault) throw new SchemaError(fault);
  const keys = entry.value?.erasureKeys;
  return { entry, erasureKeys: keys === undefined ? undefined : base64url.decode(keys) };
}

/** Why this program cannot work with a store, if it cannot. */
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

/** Writes the entry with the erasure keys that a commit has made or goes on with, and what else changes in it. */
export function setSchema(
  commit: Commit,
  { entry, erasureKeys }: StoreSchema,
  changes: Pick<StoredSchema, "recounts" | "removals"> = {},
): void {
  commit.set(SCHEMA, {
    ...entry.value ?? { version: SCHEMA_VERSION },
    ...erasureKeys && { erasureKeys: base64url.encode(erasureKeys) },
    ...changes,
  });
}
