/**
 * Removes entries whose time is over: invitees of waves that are over, counts of past windows, old audit entries, old
 * entries of the log of letters, letter limits, ids of mail reports and old jobs. Also cancels jobs that have run for
 * too long. The expiry of Deno KV itself (`expireIn`) is not used, because it ends the process on a full disk. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
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
      await cancelOldJobs(kv, { now, random });
      await sweepJobs(now());
      await kv.sweep(now());
    } catch (error) {
      log.warn("could not remove expired data; will try again", {
        error: (error as Error).message,
      });
    }
  });
}

/**
 * How many counts of past windows one sweep removes at most, and how many audit entries or letters it reads at once.
 */
const BATCH_SIZE = 100;

/**
 * Removes invitees of waves that are over, counts of windows that have ended, old audit entries, and old entries of the
 * log of letters.
 * @param now the present moment, in milliseconds since 1970
 */
export async function sweep(kv: Kv, now: number): Promise<void> {
  await removeInvitees(kv, new Date(now).toISOString());
  // Keeps the counts of the window before the present one, because another process may still read them.
  const past = pastLimitCountsSelector(Math.floor(now / 60_000) - 1);
  await remove(kv, (await kv.list(past, { limit: BATCH_SIZE })).map(({ key }) => key));

  const oldest = new Date(now - AUDIT_MS).toISOString();
  const log = readEntries<AuditEntry>(kv, { ...AUDIT_LOG, limit: BATCH_SIZE });
  for await (const { entries, unreadable } of log) {
    const keys: Key[] = [...unreadable, ...entries].map(({ key }) => key);
    for (const { value } of entries) keys.push(...indexKeysOf(value));
    const isOver = (key: Key) => String(key.at(-1)) < oldest;
    await remove(kv, keys.filter(isOver));
    if (!keys.every(isOver)) break;
  }

  const oldestLetter = new Date(now - LETTER_LOG_MS).toISOString();
  for await (const page of pages(kv, LETTERS_BY_MOMENT, { limit: BATCH_SIZE })) {
    const old = keysOfLettersBefore(page.map(({ key }) => key), oldestLetter);
    await remove(kv, old);
    if (old.length < 2 * page.length) return;
  }
}

async function remove(kv: Kv, keys: Key[]): Promise<void> {
  if (keys.length === 0) return;
  const commit = new Commit();
  for (const key of keys) commit.delete(key);
  await retry(() => kv.commit(commit));
}

/** How many entries one call of a gradual sweep reads at most. */
const SWEPT_AT_ONCE = 500;

interface GradualSweepOptions<T> {
  selector: { prefix: Key };
  /** Whether the time of an entry with this value is over. @param at the present moment, a date-time */
  isOver: (value: T, at: string) => boolean;
}

/**
 * Makes the function that removes entries whose time is over. Each call works on some entries only, so that sign-ups do
 * not wait for long. An entry that cannot be read stays.
 */
export function createGradualSweep<T>(
  kv: Kv,
  { selector, isOver }: GradualSweepOptions<T>,
): (now: number) => Promise<void> {
  let after: Key | undefined;
  return async (now) => {
    const rest = { ...selector, ...after && { after } };
    const entries = await kv.list<T>(rest, { limit: SWEPT_AT_ONCE });
    const at = new Date(now).toISOString();
    const expired = entries.flatMap((entry) =>
      "fault" in entry || !isOver(entry.value, at) ? [] : [entry]
    );
    while (expired.length > 0) {
      const part = expired.splice(0, kv.traits.checksPerCommit);
      const commit = new Commit().check(...part);
      for (const { key } of part) commit.delete(key);
      // If one of the entries has changed since it was read, the commit removes none of them. A later call removes the
      // others.
      await kv.commit(commit);
    }
    const last = entries.length < SWEPT_AT_ONCE ? undefined : entries.at(-1);
    after = last?.key;
  };
}
