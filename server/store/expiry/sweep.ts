/**
 * Removes entries whose time is over: invitees of waves that are over, counts of past windows, old audit entries, old
 * entries of the log of letters, letter limits, ids of mail reports and old jobs. A job that has run for too long is
 * first cancelled, so that it is removed later. The expiry of Deno KV itself (`expireIn`) is not used, because it ends
 * the process on a full disk. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { WINDOW_SECONDS } from "../../limits/mod.ts";
import type { Repeating, Runtime } from "../../runtime/mod.ts";
import {
  ENDED_JOB_MS,
  isLetterLimitObsolete,
  type Job,
  type LetterLimit,
  REPORT_ID_MS,
} from "../../waitlist/mod.ts";
import { AUDIT_MS, indexKeysOf } from "../audit/mod.ts";
import { removeInvitees } from "../invitations/mod.ts";
import { cancelOldJobs } from "../jobs/mod.ts";
import { keysOfLettersBefore, LETTER_LOG_MS } from "../people/mod.ts";
import {
  AUDIT_LOG,
  Commit,
  JOBS,
  type Key,
  type Kv,
  LETTER_LIMITS,
  LETTERS_BY_MOMENT,
  pages,
  pastLimitCountsSelector,
  readEntries,
  REPORTS,
  retry,
} from "../kv/mod.ts";
import { createGradualSweep } from "./gradual_sweep.ts";

/** The time between two sweeps, in milliseconds. */
const SWEEP_MS = 60_000;

/** Starts the sweeps by a timer. */
export function startSweep(
  { kv, runtime: { now, random, repeat, log } }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "random" | "repeat" | "log">;
  },
): Repeating {
  const sweepLetterLimits = createGradualSweep<LetterLimit>(kv, {
    selector: LETTER_LIMITS,
    isOver: isLetterLimitObsolete,
  });
  const sweepReports = createGradualSweep<string>(kv, {
    selector: REPORTS,
    isOver: (storedAt, at) => Date.parse(at) - Date.parse(storedAt) > REPORT_ID_MS,
  });
  const sweepJobs = createGradualSweep<Job>(kv, {
    selector: JOBS,
    isOver: ({ endedAt }, at) =>
      endedAt !== undefined && Date.parse(at) - Date.parse(endedAt) > ENDED_JOB_MS,
  });
  return repeat(SWEEP_MS, async () => {
    try {
      await sweep(kv, now());
      await sweepLetterLimits(now());
      await sweepReports(now());
      // Cancels jobs that have run for too long, because only jobs that have ended are removed.
      await cancelOldJobs(kv, { now, random });
      await sweepJobs(now());
      await kv.sweep(now());
    } catch (error) {
      log.warn("could not remove expired data; will remove this data later", {
        error: (error as Error).message,
      });
    }
  });
}

/** How many entries of one kind a sweep reads at once. */
const BATCH_SIZE = 100;

/**
 * Makes the steps of a sweep that begin with the first entries each time: removes invitees of waves that are over,
 * counts of windows that have ended, old audit entries, and old entries of the log of letters. The other steps are
 * gradual sweeps.
 * @param now the present moment, in milliseconds since 1970
 */
export async function sweep(kv: Kv, now: number): Promise<void> {
  await removeInvitees(kv, new Date(now).toISOString());
  await removePastLimitCounts(kv, now);
  await removeOldAuditEntries(kv, now);
  await removeOldLetters(kv, now);
}

/** Removes some of the counts of windows that have ended. */
async function removePastLimitCounts(kv: Kv, now: number): Promise<void> {
  const window = Math.floor(now / (WINDOW_SECONDS * 1000));
  // Keeps the counts of the window before the present window, because another process may still read these counts.
  const entries = await kv.list(pastLimitCountsSelector(window - 1), { limit: BATCH_SIZE });
  await removeEntries(kv, entries.map(({ key }) => key));
}

/** Removes the audit entries whose time is over, and their entries in the index by addresses. */
async function removeOldAuditEntries(kv: Kv, now: number): Promise<void> {
  const oldestKept = new Date(now - AUDIT_MS).toISOString();
  // The last part of a key begins with the moment of the entry, in the log and in the index.
  const isOld = (key: Key) => String(key.at(-1)) < oldestKept;
  const batches = readEntries<AuditEntry>(kv, { ...AUDIT_LOG, limit: BATCH_SIZE });
  for await (const { entries, unreadable } of batches) {
    const keys: Key[] = [...unreadable, ...entries].map(({ key }) => key);
    for (const { value } of entries) keys.push(...indexKeysOf(value));
    await removeEntries(kv, keys.filter(isOld));
    if (!keys.every(isOld)) return;
  }
}

/** Removes the entries of the log of letters whose time is over. */
async function removeOldLetters(kv: Kv, now: number): Promise<void> {
  const oldestKept = new Date(now - LETTER_LOG_MS).toISOString();
  for await (const page of pages(kv, LETTERS_BY_MOMENT, { limit: BATCH_SIZE })) {
    const oldKeys = keysOfLettersBefore(page.map(({ key }) => key), oldestKept);
    await removeEntries(kv, oldKeys);
    // Each old letter has two keys in the log. If the page gives fewer keys, it has a letter that is not old.
    if (oldKeys.length < 2 * page.length) return;
  }
}

/** Removes entries in one commit. */
async function removeEntries(kv: Kv, keys: Key[]): Promise<void> {
  if (keys.length === 0) return;
  const commit = new Commit();
  for (const key of keys) commit.delete(key);
  await retry(() => kv.commit(commit));
}
