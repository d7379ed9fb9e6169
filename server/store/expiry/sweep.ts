/**
 * Removes what has been kept for its time. The service sets no `expireIn`: the collector of Deno's engine ends the
 * process where the disk is full. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Repeating, Runtime } from "../../runtime/mod.ts";
import { AUDIT_MS } from "../audit/mod.ts";
import { createBrakeSweep } from "../people/mod.ts";
import {
  AUDIT_LOG,
  auditOfKey,
  COMMIT_SLOTS,
  pages,
  pastLimitCountsSelector,
  readEntries,
  readPage,
  retry,
  withKvDeadline,
} from "../kv/mod.ts";

/** Entries of the audit log read at once, and the most counts that one sweep removes. */
const BATCH_SIZE = 100;

const SWEEP_MS = 60_000;

export function startSweep(
  { kv, now, repeat, log }: Pick<Runtime, "now" | "repeat" | "log"> & { kv: Deno.Kv },
): Repeating {
  const sweepBrakes = createBrakeSweep(kv);
  const sweepSlots = createSlotSweep(kv);
  return repeat(SWEEP_MS, async () => {
    try {
      await sweep(kv, now());
      await sweepBrakes(now());
      await sweepSlots(now());
    } catch (error) {
      log.warn("what is too old is removed later, as KV did not answer", {
        error: (error as Error).message,
      });
    }
  });
}

/** Removes counts of windows that have ended, and audit entries that are too old. */
export async function sweep(kv: Deno.Kv, now: number): Promise<void> {
  // The last window's counts may still be read.
  const past = pastLimitCountsSelector(Math.floor(now / 60_000) - 1);
  await remove(kv, (await readPage(kv, past, { limit: BATCH_SIZE })).map(({ key }) => key));

  const oldest = new Date(now - AUDIT_MS).toISOString();
  const log = readEntries<AuditEntry>(kv, { ...AUDIT_LOG, batchSize: BATCH_SIZE });
  for await (const { entries, unreadable } of log) {
    const keys: Deno.KvKey[] = [...unreadable, ...entries].map(({ key }) => key);
    for (const { value } of entries) {
      if (value?.address) keys.push(auditOfKey(value.address, value));
    }
    const isOver = (key: Deno.KvKey) => String(key.at(-1)) < oldest;
    await remove(kv, keys.filter(isOver));
    if (!keys.every(isOver)) return;
  }
}

/** In milliseconds: far longer than any commit is under way. */
const SLOTS_MS = 60 * 60 * 1000;

/**
 * Makes the function that removes slots that no commit has used since it looked last, such as those of processes that
 * have ended. A process whose slot is gone finds so at its next commit, and makes it again.
 */
export function createSlotSweep(kv: Deno.Kv): (now: number) => Promise<void> {
  let lookedAt = -Infinity;
  let seen = new Map<string, string>();
  return async (now) => {
    if (Math.abs(now - lookedAt) < SLOTS_MS) return;
    lookedAt = now;
    const entries = (await Array.fromAsync(pages(kv, COMMIT_SLOTS))).flat();
    const nameOf = ({ key }: Deno.KvEntry<unknown>) => JSON.stringify(key);
    const unused = entries.filter((entry) => seen.get(nameOf(entry)) === entry.versionstamp);
    seen = new Map(entries.map((entry) => [nameOf(entry), entry.versionstamp]));
    for (const entry of unused) {
      await withKvDeadline(kv, () => kv.atomic().check(entry).delete(entry.key).commit());
    }
  };
}

async function remove(kv: Deno.Kv, keys: Deno.KvKey[]): Promise<void> {
  if (keys.length === 0) return;
  await retry(kv, () => {
    const commit = kv.atomic();
    for (const key of keys) commit.delete(key);
    return commit.commit();
  });
}
