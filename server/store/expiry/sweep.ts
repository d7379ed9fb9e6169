/** Removes what was kept for its time: Deno's own collector (`expireIn`) ends the process on a full disk. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type Repeating, type Runtime } from "../../runtime/mod.ts";
import { AUDIT_MS, indexKeysOf } from "../audit/mod.ts";
import { isLetterLimitOver, type LetterLimit, REPORT_MS } from "../../waitlist/mod.ts";
import { removeInvitees } from "../invitations/mod.ts";
import { AUDIT_LOG, Commit, type Key, type Kv, LETTER_LIMITS } from "../kv/mod.ts";
import { pastLimitCountsSelector, readEntries, REPORTS, retry } from "../kv/mod.ts";

/** Entries of the audit log read at once, and the most counts that one sweep removes. */
const BATCH_SIZE = 100;

const SWEEP_MS = 60_000;

export function startSweep(
  { kv, runtime: { now, repeat, log } }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "repeat" | "log">;
  },
): Repeating {
  const sweeps = [
    createGradualSweep<LetterLimit>(kv, { selector: LETTER_LIMITS, isOver: isLetterLimitOver }),
    createGradualSweep<string>(kv, {
      selector: REPORTS,
      isOver: (keptAt, at) => Date.parse(at) - Date.parse(keptAt) > REPORT_MS,
    }),
  ];
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

/** Removes names that no wave invites any more, counts of windows that have ended, and audit entries that are too old. */
export async function sweep(kv: Kv, now: number): Promise<void> {
  await removeInvitees(kv, new Date(now).toISOString());
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

/** Entries that a sweep reads at the most. */
const SWEPT_AT_ONCE = 500;

/** Makes what removes entries that are over, some at each call, so that no sign-up has to wait for the work. */
export function createGradualSweep<T>(
  kv: Kv,
  { selector, isOver }: {
    selector: { prefix: Key };
    /** @param at a date-time */
    isOver: (value: T, at: string) => boolean;
  },
): (now: number) => Promise<void> {
  let after: Key | undefined;
  return async (now) => {
    const rest = { ...selector, ...after && { after } };
    const entries = await kv.list<T>(rest, { limit: SWEPT_AT_ONCE });
    const at = new Date(now).toISOString();
    // One that cannot be read stays, and keeps no other from being removed.
    const over = entries.flatMap((entry) =>
      "fault" in entry || !isOver(entry.value, at) ? [] : [entry]
    );
    while (over.length > 0) {
      const some = over.splice(0, kv.traits.checksPerCommit);
      const commit = new Commit().check(...some);
      for (const { key } of some) commit.delete(key);
      // Where one of them is in use again, the next round removes the others.
      await kv.commit(commit);
    }
    const last = entries.length < SWEPT_AT_ONCE ? undefined : entries.at(-1);
    after = last?.key;
  };
}
