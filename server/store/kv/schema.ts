/**
 * The version of the schema (`keys.ts`). It shares one entry with the erasure keys, which every commit of a record
 * checks: so no commit goes through once another version of the program has begun to change the store (decisions,
 * "Readiness, schema").
 *
 * @module
 */
import { base64url } from "jose";
import { type BoundedKv, readMany, VALUE_FAULT } from "./calls.ts";
import { SCHEMA } from "./keys.ts";

export const SCHEMA_VERSION = 3;

export interface StoredSchema {
  version: number;
  migrating?: MigrationState;
  /** The erasure keys in base64url, 32 bytes each; absent until the first address is hashed. */
  erasureKeys?: string;
}

export interface MigrationState {
  to: number;
  /** The random id of the process that runs it. */
  by: string;
  batch: number;
  records: number;
  /** The last part of the key behind which the next batch begins; absent before the first batch. */
  after?: string;
}

/** The entry, which commits check, and the erasure keys: the store's own, and behind it those of restored backups. */
export interface StoreSchema {
  entry: Deno.KvEntryMaybe<StoredSchema>;
  erasureKeys: Uint8Array | undefined;
}

export class SchemaError extends Error {}

export const SCHEMA_VANISHED =
  "The entry of the schema is gone, so this is another store, or an empty one. " +
  "Give it the store's own file again; if it is lost, restart the service, and restore a backup";

export async function readSchema(kv: BoundedKv): Promise<StoreSchema> {
  return toSchema(await kv.get<StoredSchema>(SCHEMA), kv);
}

/** Reads the schema, which commits of people check, and entries as `readMany()` does. */
export async function readWithSchema<T>(kv: BoundedKv, keys: Deno.KvKey[]) {
  const [schemaEntry, ...entries] = await readMany<unknown>(kv, [SCHEMA, ...keys]);
  if (!schemaEntry) throw new Error(`The entry of the schema: ${VALUE_FAULT}`);
  return {
    schema: toSchema(schemaEntry as Deno.KvEntryMaybe<StoredSchema>, kv),
    entries: entries as (Deno.KvEntryMaybe<T> | undefined)[],
  };
}

/**
 * Gives the schema of an entry; a store without it is empty.
 *
 * @throws {SchemaError} for another version, or an entry lost
 */
export function toSchema(
  entry: Deno.KvEntryMaybe<StoredSchema>,
  { hasSchema = false }: Pick<BoundedKv, "hasSchema"> = {},
): StoreSchema {
  if (hasSchema && !entry.value) throw new SchemaError(SCHEMA_VANISHED);
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

export function setErasureKeys(
  commit: Deno.AtomicOperation,
  { entry }: StoreSchema,
  keys: Uint8Array,
): void {
  const schema: StoredSchema = entry.value ?? { version: SCHEMA_VERSION };
  commit.set(SCHEMA, { ...schema, erasureKeys: base64url.encode(keys) });
}
