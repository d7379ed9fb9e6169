/**
 * Makes version 2 of the schema: every record has a random id of its own, and the erasure keys move from a
 * key of their own into the schema's entry.
 *
 * @module
 */
import { base64url } from "jose";
import { createRandomIds } from "../../random_ids.ts";
import { RECORD_ID_LENGTH } from "../../waitlist/record.ts";
import { readEntries } from "../entries.ts";
import { SIGN_UPS } from "../keys.ts";
import type { CreateMigration } from "./migration.ts";

/** Where version 1 kept the erasure keys, as bytes. */
const ERASURE_KEYS_OF_VERSION_1: Deno.KvKey = ["erasure_key"];

/** Records in a batch: a commit takes 81,920 bytes of keys, and the longest key of a record has 265. */
const RECORDS_AT_ONCE = 300;

/** Makes the migration from version 1. */
export const toVersion2: CreateMigration = ({ random }) => {
  const nextId = createRandomIds({ length: RECORD_ID_LENGTH, random });
  return {
    to: 2,
    async *batches(kv, after) {
      const records = readEntries(kv, {
        prefix: SIGN_UPS.prefix,
        after,
        batchSize: RECORDS_AT_ONCE,
      });
      for await (const { entries, unreadable } of records) {
        yield {
          write(commit) {
            for (const { key, value } of entries) {
              // A record that is no object is left to 'counters verify', which names it.
              if (typeof value !== "object" || value === null || "id" in value) continue;
              commit.set(key, { id: nextId(), ...value });
            }
          },
          records: entries.length,
          unreadable,
          after: entries.at(-1)?.key.at(-1) as string | undefined,
        };
      }
    },
    async finish(kv) {
      const { key, value } = await kv.get<Uint8Array>(ERASURE_KEYS_OF_VERSION_1);
      return {
        write: (commit) => void commit.delete(key),
        schema: value ? { erasureKeys: base64url.encode(value) } : {},
      };
    },
  };
};
