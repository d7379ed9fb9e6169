/**
 * Recounts all records and, where that was exact, corrects the counters.
 *
 * A recount is of the moment of its mark, a key that it writes: what has a later versionstamp has
 * changed since. The counters are read at the mark and the records after it, so three kinds of changes
 * happen meanwhile:
 *
 * - Behind the scan: it has counted the record as it was at the mark.
 * - A new record ahead of the scan: its `createdAt` is later than the mark, so it is left out.
 * - Another change ahead of the scan: the record is seen as it is now, and what it was is not known.
 *   Only these make a recount inexact, and each of them moves any counter by one at the most.
 *
 * What an exact recount finds stays the difference whatever is written later, as each commit moves
 * counters and records alike. So a correction by the difference, in one atomic, loses no sign-up; it
 * only must not come twice, which a check on the mark sees to.
 *
 * @module
 */
import {
  type Difference,
  Recount,
  type RecountReport,
  type SinceMark,
} from "../waitlist/recount.ts";
import type { UnreadableRecord } from "../../shared/operator_schemas.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { countErasedSince } from "./erasures.ts";
import { counterOf, COUNTERS, RECOUNT_MARK } from "./keys.ts";
import { type AddressedRecord, readSignUpPages } from "./sign_up_pages.ts";
import { addToCounter, numberOf } from "./sign_ups.ts";

/** Records between two reports of progress. */
const PROGRESS_STEP = 20_000;

/** What a recount of the store found. */
export interface StoreReport extends RecountReport {
  /** Records that cannot be read; they count as none. */
  unreadable: UnreadableRecord[];
}

/**
 * Recounts all records. Yields how many it has counted, now and then.
 *
 * @param now the clock, in milliseconds since 1970
 * @returns what it found, and its mark
 */
export async function* recountRecords(
  kv: Deno.Kv,
  now: () => number,
): AsyncGenerator<number, { report: StoreReport; mark: Deno.KvEntry<string> }> {
  const start = await markStart(kv, now);
  const recount = new Recount();
  const unreadable: UnreadableRecord[] = [];
  let next = PROGRESS_STEP;
  for await (const page of readSignUpPages(kv)) {
    for (const each of page.records) recount.add(each.record, sinceMarkOf(each, start));
    unreadable.push(...page.unreadable);
    if (recount.records < next) continue;
    yield recount.records;
    next += PROGRESS_STEP;
  }
  const kept = start.counters.map(({ key, value }) => ({
    counter: counterOf(key),
    count: numberOf(value),
  }));
  const erased = await countErasedSince(kv, start.mark.versionstamp);
  return { report: { ...recount.compare(kept, erased), unreadable }, mark: start.mark };
}

/** What a recount begins with. */
interface Start {
  mark: Deno.KvEntry<string>;
  /** A date-time after the mark. */
  markedAt: string;
  counters: Deno.KvEntry<Deno.KvU64>[];
  /** Whether the counters are those of the mark. */
  whole: boolean;
}

/** How often the counters are read anew because a commit came between the mark and them. */
const MAX_MARKS = 20;

async function markStart(kv: Deno.Kv, now: () => number): Promise<Start> {
  for (let marks = 1;; marks++) {
    const value = new Date(now()).toISOString();
    const { versionstamp } = await withDeadline(DEADLINE_MS, () => kv.set(RECOUNT_MARK, value));
    const markedAt = new Date(now()).toISOString();
    const counters = await withDeadline(
      DEADLINE_MS,
      () => Array.fromAsync(kv.list<Deno.KvU64>(COUNTERS)),
    );
    const whole = counters.every((counter) => counter.versionstamp <= versionstamp);
    if (!whole && marks < MAX_MARKS) continue;
    return { mark: { key: RECOUNT_MARK, value, versionstamp }, markedAt, counters, whole };
  }
}

function sinceMarkOf(
  { record, versionstamp }: AddressedRecord,
  { mark, markedAt, whole }: Start,
): SinceMark {
  if (versionstamp <= mark.versionstamp) return "unchanged";
  const { createdAt, updatedAt } = record;
  // A record that has changed since it was made may be older, where processes differ in their clocks.
  const isNew = createdAt > markedAt && createdAt === updatedAt;
  return isNew && whole ? "added" : "changed";
}

/** How many times a repair recounts before it gives up. */
const MAX_RECOUNTS = 5;

/** Counters that one atomic corrects; it takes 1,000 mutations. */
const CORRECTED_AT_ONCE = 900;

/** What a repair came to. */
export interface RepairReport extends StoreReport {
  /** Whether the counters are right now; if not, nothing was written, or less than all. */
  repaired: boolean;
  recounts: number;
}

/**
 * Recounts until that is exact, and corrects the counters by the differences. Yields as
 * {@linkcode recountRecords} does.
 *
 * @returns the last recount's findings; its differences are those that were corrected
 */
export async function* repairCounters(
  kv: Deno.Kv,
  now: () => number,
): AsyncGenerator<number, RepairReport> {
  for (let recounts = 1;; recounts++) {
    const { report, mark } = yield* recountRecords(kv, now);
    const last = recounts === MAX_RECOUNTS;
    try {
      const repaired = report.exact && await correct(kv, mark, report.differences);
      if (repaired || last) return { ...report, repaired, recounts };
    } catch (error) {
      // It may have gone through all the same, which the next recount will tell.
      if (last) throw error;
    }
  }
}

/**
 * Moves the counters by the differences. Each atomic writes a new mark, so that neither a second try of
 * it nor another repair moves them again.
 *
 * @returns false where another recount has set its mark since
 */
async function correct(
  kv: Deno.Kv,
  mark: Deno.KvEntry<string>,
  differences: Difference[],
): Promise<boolean> {
  for (let from = 0; from < differences.length; from += CORRECTED_AT_ONCE) {
    const commit = kv.atomic().check(mark).set(RECOUNT_MARK, mark.value);
    // Readers of the statistics know by the total's version that something moved.
    addToCounter(commit, ["total"], 0);
    for (const { counter, kept, recounted } of differences.slice(from, from + CORRECTED_AT_ONCE)) {
      addToCounter(commit, counter, recounted - kept);
    }
    const result = await withDeadline(DEADLINE_MS, () => commit.commit());
    if (!result.ok) return false;
    mark = { ...mark, versionstamp: result.versionstamp };
  }
  return true;
}
