/** The log of letters in a KV, for tests. @module */
import assert from "node:assert/strict";
import type { Kv } from "../../server/store/kv/engine.ts";
import { listAll } from "./memory_kv.ts";

/** Gives the record id of each letter in the log. Each letter must be in both tables of the log. */
export async function readRecordIdsInLog(kv: Kv): Promise<string[]> {
  const byPerson = await listAll(kv, { prefix: ["letter_log"] });
  const byMoment = await listAll(kv, { prefix: ["letter_log_at"] });
  assert.equal(byPerson.length, byMoment.length);
  return byPerson.map(({ key }) => String(key[1]));
}

/** Gives the longest id of an item that a backup may have. */
export const longItemId = (n: number) => `${n}`.padStart(100, "0");
