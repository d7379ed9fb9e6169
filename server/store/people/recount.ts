/**
 * Recounts all records, compares the counters and the lists with them, and corrects the counters if the recount was
 * exact. `list_check.ts` compares and repairs the lists; `waitlist/recount.ts` counts. The section `store/people/` of
 * `server/README.md` says which changes meanwhile make a recount inexact. @module
 */
import type { AuditEntry, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  type CounterDifference,
  type RecordChange,
  Recount,
  type RecountResult,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  Commit,
  commitChange,
  counterKey,
  counterOf,
  COUNTERS,
  type Kv,
  type Page,
  pages,
  readMany,
  readSchema,
  setSchema,
  type Version,
  withPausesForRequests,
} from "../kv/mod.ts";
import { checkCampaignValues } from "./campaigns.ts";
import { checkLine, type LineDifference } from "./line_check.ts";
import { createListCheck, type ListFaults } from "./list_check.ts";
import { readSignUpPages } from "./records.ts";
import { checkReferrals, type ReferralDifference } from "./referral_check.ts";

/** The number of records after which the recount tells its progress. */
const PROGRESS_STEP = 20_000;

/** The findings of a recount. */
export interface StoreRecount extends RecountResult {
  unreadable: UnreadableRecord[];
  lists: ListFaults;
  /** The counters of the place in line that were wrong. */
  line: LineDifference[];
  /** The people whose stored number of referrals was wrong, each with the right number. */
  referrals: ReferralDifference[];
}

/** A recount, with what a correction of the counters needs in addition to the report. */
interface NumberedRecount {
  report: StoreRecount;
  /**
   * The number of the recount. Every record that is written after the start of the recount has this number or a higher
   * one.
   */
  number: number;
  /** The differences of the counters that cannot be read. The differences in the report include these differences. */
  unreadableDifferences: CounterDifference[];
}

/** Recounts all records, and compares the lists with the records. Yields the number of records counted so far. */
export async function* recountRecords(
  kv: Kv,
  { now }: Pick<Runtime, "now">,
  { repairs = false } = {},
): AsyncGenerator<number, NumberedRecount> {
  const start = await beginRecount(kv, { now });
  const recount = new Recount();
  const check = createListCheck(kv, start.version);
  const unreadable: UnreadableRecord[] = [];
  let nextReport = PROGRESS_STEP;
  for await (const page of withPausesForRequests(readSignUpPages(kv))) {
    for (const person of page.records) {
      const change = changeSince(start, person.record);
      recount.add(person.record, change);
      if (change === "unchanged") check.addRecord(person);
    }
    unreadable.push(...page.unreadable);
    if (recount.records < nextReport) continue;
    yield recount.records;
    nextReport += PROGRESS_STEP;
  }
  const stored = start.counters.flatMap((entry) =>
    "fault" in entry ? [] : [{ counter: counterOf(entry.key), count: entry.value }]
  );
  const { entry: { value: schema } } = await readSchema(kv);
  const counted = recount.compare(stored, (schema?.removals ?? 0) - start.removals);
  const unreadableDifferences = findUnreadableDifferences(start.counters, counted.differences);
  const differences = [...new Set([...unreadableDifferences, ...counted.differences])];
  const lists = yield* check.compare({ repairs, progress: recount.records });
  // The place in line and the referrals are compared with lists of people, so they can be judged only once the lists
  // are right.
  const areListsRight = lists.missing === 0 && lists.surplus === 0;
  const canCompareWithLists = areListsRight || repairs;
  const line = canCompareWithLists
    ? yield* checkLine(kv, { repairs, progress: recount.records })
    : [];
  const referrals = canCompareWithLists
    ? yield* checkReferrals(kv, { repairs, progress: recount.records })
    : [];
  const missingValues = await checkCampaignValues(kv, recount.counters(), { repairs });
  lists.missing += missingValues;
  const areOthersRight = unreadableDifferences.length === 0 && areListsRight &&
    missingValues === 0 &&
    line.length === 0 && referrals.length === 0;
  const agrees = counted.agrees && areOthersRight;
  const report = { ...counted, differences, agrees, unreadable, lists, line, referrals };
  return { report, number: start.number, unreadableDifferences };
}

/** Finds the differences of the counters that cannot be read. The stored count of such a counter is taken as 0. */
function findUnreadableDifferences(
  counters: Page<number>,
  differences: CounterDifference[],
): CounterDifference[] {
  return counters.filter((entry) => "fault" in entry).map(({ key }) => {
    const counter = counterOf(key);
    const name = counter.join("/");
    return differences.find((difference) => difference.counter.join("/") === name) ??
      { counter, kept: 0, recounted: 0 };
  });
}

/**
 * How many times a recount tries to read the counters at one moment, while other commits change them. After that, it
 * begins with counters that are not exact.
 */
const MAX_READS = 20;

/** The state of the store at the moment at which a recount begins. */
interface Start {
  /**
   * The number of the recount. Every record that is written after the start of the recount has this number or a higher
   * one.
   */
  number: number;
  /**
   * The version of the commit that began the recount. Every later commit of people has a higher version, because it
   * checks the entry of the schema, which this commit has written.
   */
  version: Version;
  /** How many times records were removed before the recount began. */
  removals: number;
  counters: Page<number>;
  /** Whether the counters are exactly as they were when the recount began. */
  areExact: boolean;
  /** The date-time just after the commit that began the recount. */
  begunAt: string;
}

/** Begins a recount: gives it a number, and reads the counters at the moment of its commit. */
async function beginRecount(kv: Kv, { now }: Pick<Runtime, "now">): Promise<Start> {
  let reads = 0;
  const begun = await commitChange(kv, async () => {
    // Reads the total to notice changes: each commit that changes a counter writes the total as well.
    const [total] = await readMany(kv, [counterKey(["total"])]);
    const counters = await readCounters(kv);
    const schema = await readSchema(kv);
    const { recounts = 0, removals = 0 } = schema.entry.value ?? {};
    const commit = new Commit().check(schema.entry);
    setSchema(commit, schema, { recounts: recounts + 1 });
    const areExact = ++reads <= MAX_READS && total !== undefined;
    if (areExact) commit.check(total);
    return {
      commit,
      result: (version) => ({ number: recounts + 1, version, removals, counters, areExact }),
    };
  });
  const begunAt = new Date(now()).toISOString();
  if (begun.areExact) return { ...begun, begunAt };
  // Reads the counters again. They also count changes after the start of the recount; the records of these changes have
  // the number of the recount.
  return { ...begun, begunAt, counters: await readCounters(kv) };
}

const readCounters = async (kv: Kv): Promise<Page<number>> =>
  (await Array.fromAsync(pages<number>(kv, COUNTERS))).flat();

/** Tells whether a record has changed, or was added, since the start of the recount. */
function changeSince(
  { number, begunAt, areExact }: Start,
  { recount, createdAt, updatedAt }: SignUpRecord,
): RecordChange {
  if (recount === undefined || recount < number) return "unchanged";
  // A changed record does not count as new, even if `createdAt` is after the start: the clocks of processes differ, so
  // the record may have existed before the start.
  const isNew = createdAt > begunAt && createdAt === updatedAt;
  return isNew && areExact ? "added" : "changed";
}

/** How many recounts a repair makes at most until one is exact. */
const MAX_RECOUNTS = 5;

/**
 * How many counters one commit corrects at most. A counter that cannot be read takes two writes, and a commit may have
 * only 950 writes.
 */
const CORRECTED_AT_ONCE = 450;

/**
 * The findings of the last recount. The faults of the lists, of the place in line and of referrals, and the corrected
 * differences, are the sum of all recounts.
 */
export interface StoreRepair extends StoreRecount {
  /** Whether all counters are right now. If not, some of them may have been corrected. */
  repaired: boolean;
  /** The number of recounts that were made. */
  recounts: number;
}

/**
 * Recounts until a recount is exact, at most five times, and corrects the counters by its differences. Repairs the
 * lists in any case. After the correction of a counter that could not be read, it recounts once more, because the
 * correction may have lost a change of this counter during the recount. Yields the number of records counted so far in
 * each recount.
 */
export async function* repairCounters(
  kv: Kv,
  { now }: Pick<Runtime, "now">,
  audit?: AuditEntry,
): AsyncGenerator<number, StoreRepair> {
  const lists: ListFaults = { missing: 0, surplus: 0 };
  const corrected: CounterDifference[] = [];
  const line: LineDifference[] = [];
  const referrals: ReferralDifference[] = [];
  for (let recounts = 1;; recounts++) {
    const { report, number, unreadableDifferences } = yield* recountRecords(
      kv,
      { now },
      { repairs: true },
    );
    lists.missing += report.lists.missing;
    lists.surplus += report.lists.surplus;
    report.lists = lists;
    for (const difference of report.line) line.push(difference);
    report.line = line;
    for (const difference of report.referrals) referrals.push(difference);
    report.referrals = referrals;
    const isLast = recounts === MAX_RECOUNTS;
    const { exact, differences } = report;
    const isCorrected = exact &&
      await correctCounters(kv, { number, differences, unreadableDifferences }, audit);
    const repaired = isCorrected && unreadableDifferences.length === 0;
    if (repaired || isLast) {
      return { ...report, differences: [...corrected, ...differences], repaired, recounts };
    }
    if (isCorrected) corrected.push(...differences);
  }
}

/** Corrects the counters. @returns `false` if another recount or correction has begun since */
async function correctCounters(
  kv: Kv,
  { number, differences, unreadableDifferences }:
    & Pick<NumberedRecount, "number" | "unreadableDifferences">
    & { differences: CounterDifference[] },
  audit: AuditEntry | undefined,
): Promise<boolean> {
  const entry = audit && { ...audit, details: { corrected: differences.length } };
  for (let from = 0; from < differences.length; from += CORRECTED_AT_ONCE) {
    const isDone = await commitChange(kv, async () => {
      const schema = await readSchema(kv);
      if (schema.entry.value?.recounts !== number) return { result: () => false };
      const commit = new Commit().check(schema.entry);
      setSchema(commit, schema, { recounts: number + 1 });
      setAuditEntry(commit, entry);
      const batch = differences.slice(from, from + CORRECTED_AT_ONCE);
      // Deletes the counters that cannot be read, because an engine may refuse to add to such a counter.
      for (const difference of batch) {
        if (unreadableDifferences.includes(difference)) {
          commit.delete(counterKey(difference.counter));
        }
      }
      for (const { counter, kept, recounted } of batch) {
        commit.add(counterKey(counter), recounted - kept);
      }
      // Writes the total, so that readers of the statistics notice by its new version that a counter has changed.
      commit.add(counterKey(["total"]), 0);
      return { commit, result: () => true };
    });
    if (!isDone) return false;
    number++;
  }
  return true;
}
