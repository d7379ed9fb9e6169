/**
 * Recounts all records, compares the lists with them and, where the recount was exact, corrects the counters.
 *
 * A recount is of the moment at which it writes a key, its mark: entries with a later versionstamp have changed
 * since. The counters are read at the mark, and the records after it. There are three kinds of changes meanwhile:
 *
 * - A record that is already counted changes: it was counted as it was at the mark.
 * - A record is added before the recount reads it: its `createdAt` is later than the mark, so it is left out.
 * - A record is changed before the recount reads it: what it was at the mark is not known. Only these
 *   changes make a recount inexact, and each of them moves any counter by one at the most.
 *
 * Later commits move counters and records alike, so a correction by the differences loses no sign-up. A check
 * of the mark prevents a second correction. @module
 */
import type { CounterDifference, RecordChange, RecountResult } from "../../../waitlist/mod.ts";
import { Recount } from "../../../waitlist/mod.ts";
import type { AuditEntry, UnreadableRecord } from "../../../../shared/operator_schemas.ts";
import type { Runtime } from "../../../runtime/mod.ts";
import { setAuditEntry } from "../../audit/mod.ts";
import {
  addToCounter,
  commitChange,
  counterOf,
  COUNTERS,
  numberOf,
  RECOUNT_MARK,
  withKvDeadline,
} from "../../kv/mod.ts";
import { countErasedSince } from "../erasure_marks.ts";
import { createListCheck, type ListFaults } from "./list_check.ts";
import { type AddressedRecord, readSignUpPages } from "../records.ts";

const PROGRESS_STEP = 20_000;

export interface StoreRecount extends RecountResult {
  /** Records that cannot be read, which are not counted. */
  unreadable: UnreadableRecord[];
  /** What is wrong with the lists. */
  lists: ListFaults;
}

/** Recounts all records, and compares the lists with them. Yields the number of records counted so far. */
export async function* recountRecords(
  kv: Deno.Kv,
  runtime: Pick<Runtime, "now">,
  { mendsLists = false } = {},
): AsyncGenerator<number, { report: StoreRecount; mark: Deno.KvEntry<string> }> {
  const start = await markStart(kv, runtime);
  const recount = new Recount();
  const check = createListCheck(kv);
  const unreadable: UnreadableRecord[] = [];
  let next = PROGRESS_STEP;
  for await (const page of readSignUpPages(kv)) {
    for (const each of page.records) {
      recount.add(each.record, changeSinceMark(each, start));
      check.addRecord(each);
    }
    unreadable.push(...page.unreadable);
    if (recount.records < next) continue;
    yield recount.records;
    next += PROGRESS_STEP;
  }
  const stored = start.counters.map(({ key, value }) => ({
    counter: counterOf(key),
    count: numberOf(value),
  }));
  const erased = await countErasedSince(kv, start.mark.versionstamp);
  const counted = recount.compare(stored, erased);
  const lists = yield* reporting(check.compare({ mends: mendsLists }), recount.records);
  const agrees = counted.agrees && lists.missing === 0 && lists.surplus === 0;
  return { report: { ...counted, agrees, unreadable, lists }, mark: start.mark };
}

/** Yields the same progress after each step of some work, so that its caller can tell that it goes on. */
async function* reporting<T>(
  work: AsyncGenerator<void, T>,
  progress: number,
): AsyncGenerator<number, T> {
  for (;;) {
    const step = await work.next();
    if (step.done) return step.value;
    yield progress;
  }
}

/** How often the mark is written again because a commit moved counters before they were read. */
const MAX_MARKS = 20;

/** Gives the mark, a date-time after it, the counters, and whether these are as they were at the mark. */
async function markStart(kv: Deno.Kv, { now }: Pick<Runtime, "now">) {
  for (let marks = 1;; marks++) {
    const value = new Date(now()).toISOString();
    const versionstamp = await commitChange(kv, async () => {
      // The check keeps a mark whose outcome is unknown from coming after a later one, whose recount it would end.
      const commit = kv.atomic().check(await kv.get(RECOUNT_MARK)).set(RECOUNT_MARK, value);
      return { commit, result: (versionstamp) => versionstamp };
    });
    const markedAt = new Date(now()).toISOString();
    const list = kv.list<Deno.KvU64>(COUNTERS);
    const counters = await withKvDeadline(kv, () => Array.fromAsync(list));
    const areOfMark = counters.every((counter) => counter.versionstamp <= versionstamp);
    if (!areOfMark && marks < MAX_MARKS) continue;
    return { mark: { key: RECOUNT_MARK, value, versionstamp }, markedAt, counters, areOfMark };
  }
}

function changeSinceMark(
  { record, versionstamp }: AddressedRecord,
  { mark, markedAt, areOfMark }: Awaited<ReturnType<typeof markStart>>,
): RecordChange {
  if (versionstamp <= mark.versionstamp) return "unchanged";
  const { createdAt, updatedAt } = record;
  // A record that was changed after it was added may be older, as the clocks of processes differ.
  const isNew = createdAt > markedAt && createdAt === updatedAt;
  return isNew && areOfMark ? "added" : "changed";
}

const MAX_RECOUNTS = 5;

/** One atomic takes 1,000 mutations. */
const CORRECTED_AT_ONCE = 900;

/**
 * Recounts until a recount is exact, and corrects the counters by its differences. The lists are mended in any case.
 *
 * @returns the last recount's findings; their differences were corrected, and the faults of the lists are those of all
 * of them; `repaired` tells whether all counters are right now: if not, none of them was corrected, or only some
 */
export async function* repairCounters(
  kv: Deno.Kv,
  runtime: Pick<Runtime, "now">,
  audit?: AuditEntry,
): AsyncGenerator<number, StoreRecount & { repaired: boolean; recounts: number }> {
  const lists: ListFaults = { missing: 0, surplus: 0 };
  for (let recounts = 1;; recounts++) {
    const { report, mark } = yield* recountRecords(kv, runtime, { mendsLists: true });
    lists.missing += report.lists.missing;
    lists.surplus += report.lists.surplus;
    report.lists = lists;
    const last = recounts === MAX_RECOUNTS;
    const repaired = report.exact && await correct(kv, mark, report.differences, audit);
    if (repaired || last) return { ...report, repaired, recounts };
  }
}

/** Moves the counters. Each atomic writes a new mark, so that no other repair moves them again; false where one has. */
async function correct(
  kv: Deno.Kv,
  mark: Deno.KvEntry<string>,
  differences: CounterDifference[],
  audit: AuditEntry | undefined,
): Promise<boolean> {
  const entry = audit && { ...audit, details: { corrected: differences.length } };
  let { versionstamp } = mark;
  for (let from = 0; from < differences.length; from += CORRECTED_AT_ONCE) {
    const corrected = await commitChange(kv, async () => {
      const now = await kv.get(RECOUNT_MARK);
      if (now.versionstamp !== versionstamp) return { result: () => undefined };
      const commit = kv.atomic().check(now).set(RECOUNT_MARK, mark.value);
      setAuditEntry(commit, entry);
      // Readers of the statistics learn by the total's version that a counter moved.
      addToCounter(commit, ["total"], 0);
      for (
        const { counter, kept, recounted } of differences.slice(from, from + CORRECTED_AT_ONCE)
      ) {
        addToCounter(commit, counter, recounted - kept);
      }
      return { commit, result: (versionstamp): string | undefined => versionstamp };
    });
    if (corrected === undefined) return false;
    versionstamp = corrected;
  }
  return true;
}
