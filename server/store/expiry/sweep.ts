/**
 * Removes what has been kept for its time. The service sets no `expireIn`: the collector of Deno's engine ends the
 * process where the disk is full. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Repeating, Runtime } from "../../runtime/mod.ts";
import { AUDIT_MS, indexKeysOf } from "../audit/mod.ts";
import { createBrakeSweep, createReportSweep } from "../people/mod.ts";
import {
  AUDIT_LOG,
  Commit,
  type Key,
  type Kv,
  pastLimitCountsSelector,
  readEntries,
  retry,
} from "../kv/mod.ts";

/** Entries of the audit log read at once, and the most counts that one sweep removes. */
const BATCH_SIZE = 100;

const SWEEP_MS = 60_000;

export function startSweep(
  { kv, now, repeat, log }: Pick<Runtime, "now" | "repeat" | "log"> & { kv: Kv },
): Repeating {
  const sweeps = [createBrakeSweep(kv), createReportSweep(kv)];
  return repeat(SWEEP_MS, async () => {
    try {
      await sweep(kv, now());
      for (const sweepSome of sweeps) await sweepSome(now());
      await kv.sweep(now());
    } catch (error) {
      log.warn("what is too old is removed later, as KV did not answer", {
        error: (error as Error).message,
      });
    }
  });
}

/** Removes counts of windows that have ended, and audit entries that are too old. */
export async function sweep(kv: Kv, now: number): Promise<void> {
  // The last window's counts may still be read.
  const past = pastLimitCountsSelector(Math.floor(now / 60_000) - 1);
  await remove(kv, (await kv.list(past, { limit: BATCH_SIZE })).map(({ key }) => key));

  const oldest = new Date(now - AUDIT_MS).toISOString();
  const log = readEntries<AuditEntry>(kv, { ...AUDIT_LOG, batchSize: BATCH_SIZE });
  for await (const { entries, unreadable } of log) {
    const keys: Key[] = [...unreadable, ...entries].map(({ key }) => key);
    for (const { value } of entries) keys.push(...indexKeysOf(value));
    const isOver = (key: Key) => String(key.at(-1)) < oldest;
    await remove(kv, keys.filter(isOver));
    if (!keys.every(isOver)) return;
  }
}

async function remove(kv: Kv, keys: Key[]): Promise<void> {
  if (keys.length === 0) return;
  const commit = new Commit();
  for (const key of keys) commit.delete(key);
  await retry(() => kv.commit(commit));
}
