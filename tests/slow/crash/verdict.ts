/**
 * What must be true of a store whose process was killed.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { readCounts } from "../../../server/store/people/statistics/counts.ts";
import type { Counts } from "../../../server/waitlist/statistics.ts";
import type { Acknowledged } from "../../support/acknowledged.ts";
import { recount, storedSignUps } from "../../support/records.ts";

/** What was found in a store. */
export interface Verdict {
  counts: Counts;
  /** What is wrong, in sentences. */
  findings: string[];
}

/**
 * What no crash may change, in a text that can be compared: clients, signing keys, and the key that
 * hashes source addresses.
 */
export async function keptEntries(kv: Deno.Kv): Promise<string> {
  const entries: Deno.KvEntryMaybe<unknown>[] = [
    ...await Array.fromAsync(kv.list({ prefix: ["client"] })),
    ...await Array.fromAsync(kv.list({ prefix: ["root_key"] })),
    await kv.get(["address_key"]),
  ];
  return entries.map((entry) => Deno.inspect(entry, { depth: 9, iterableLimit: 99 })).join("\n");
}

/** Looks into the store of a process that is gone. */
export async function validate(kv: Deno.Kv, acknowledged: Acknowledged): Promise<Verdict> {
  const findings = acknowledged.missingFrom(await storedSignUps(kv));

  const now = Date.now();
  const [counts, recounted] = [await readCounts(kv, now), await recount(kv, now)];
  if (!isDeepStrictEqual(counts, recounted)) {
    findings.push(
      `The counters say ${JSON.stringify(counts)}; a recount gives ${JSON.stringify(recounted)}.`,
    );
  }
  return { counts, findings };
}
