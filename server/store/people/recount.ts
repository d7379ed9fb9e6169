/**
 * Recounts all records while the service runs, and finds the counters and lists that disagree with the records. Each of
 * the files `list_check.ts`, `line_check.ts`, `referral_check.ts` and `campaign_check.ts` compares one kind of entry.
 * `waitlist/recount.ts` counts, and `repair_counters.ts` repairs the counters. The section `store/people/` of
 * `server/README.md` says which changes during a recount make the recount inexact. @module
 */
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  type CounterDifference,
  type CounterValue,
  type RecordChange,
  Recount,
  type RecountResult,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
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
import { checkCampaignValues } from "./campaign_check.ts";
import { checkLine, type LineDifference } from "./line_check.ts";
import { createListCheck, type ListCheck, type ListFaults } from "./list_check.ts";
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

/** A recount, with what a repair of the counters needs in addition to the report. */
export interface NumberedRecount {
  report: StoreRecount;
  /**
   * The number of the recount. Every record that is written after the start of the recount has this number or a higher
   * one.
   */
  recountNumber: number;
  /** The differences of the counters that cannot be read. The differences in the report include these differences. */
  unreadableDifferences: CounterDifference[];
}

/**
 * Recounts all records, and compares the counters and the lists with them. Yields the number of records counted so far.
 * @param options.repairs whether to repair everything but the counters of the statistics
 */
export async function* recountRecords(
  kv: Kv,
  { now }: Pick<Runtime, "now">,
  { repairs = false } = {},
): AsyncGenerator<number, NumberedRecount> {
  const start = await beginRecount(kv, { now });
  const recount = new Recount();
  const listCheck = createListCheck(kv, start.version);
  const unreadable = yield* countRecords(kv, start, { recount, listCheck });
  const removedMeanwhile = await readRemovals(kv) - start.removals;
  const comparison = recount.compare(readableCounts(start.counters), removedMeanwhile);
  const unreadableDifferences = findUnreadableDifferences(start.counters, comparison.differences);
  const checkOptions = { repairs, progress: recount.records };
  const lists = yield* listCheck.compare(checkOptions);
  // The place in line and the referrals are compared with lists of people, so they can be judged only once the lists
  // are right.
  const canUseLists = repairs || hasNoFaults(lists);
  const line = canUseLists ? yield* checkLine(kv, checkOptions) : [];
  const referrals = canUseLists ? yield* checkReferrals(kv, checkOptions) : [];
  lists.missing += await checkCampaignValues(kv, recount.counters(), { repairs });
  const report: StoreRecount = {
    ...comparison,
    // A difference that is in both lists is the same object in both, so the set has it only once.
    differences: [...new Set([...unreadableDifferences, ...comparison.differences])],
    agrees: comparison.agrees && unreadableDifferences.length === 0 && hasNoFaults(lists) &&
      line.length === 0 && referrals.length === 0,
    unreadable,
    lists,
    line,
    referrals,
  };
  return { report, recountNumber: start.recountNumber, unreadableDifferences };
}

const hasNoFaults = ({ missing, surplus }: ListFaults): boolean => missing === 0 && surplus === 0;

/**
 * Adds all records to the recount, and the unchanged records to the check of the lists as well. Yields the number of
 * records counted so far.
 * @returns the records that cannot be read
 */
async function* countRecords(
  kv: Kv,
  start: RecountStart,
  { recount, listCheck }: { recount: Recount; listCheck: ListCheck },
): AsyncGenerator<number, UnreadableRecord[]> {
  const unreadable: UnreadableRecord[] = [];
  let nextProgress = PROGRESS_STEP;
  for await (const page of withPausesForRequests(readSignUpPages(kv))) {
    for (const person of page.records) {
      const change = changeSince(start, person.record);
      recount.add(person.record, change);
      if (change === "unchanged") listCheck.addRecord(person);
    }
    unreadable.push(...page.unreadable);
    if (recount.records < nextProgress) continue;
    yield recount.records;
    nextProgress += PROGRESS_STEP;
  }
  return unreadable;
}

/** Reads the number of records that were ever removed. */
async function readRemovals(kv: Kv): Promise<number> {
  const { entry } = await readSchema(kv);
  return entry.value?.removals ?? 0;
}

/** Gives the counters that can be read, with their stored counts. */
const readableCounts = (counters: Page<number>): CounterValue[] =>
  counters.flatMap((entry) =>
    "fault" in entry ? [] : [{ counter: counterOf(entry.key), count: entry.value }]
  );

/**
 * Finds the differences of the counters that cannot be read. The stored count of such a counter counts as 0, so that
 * `differences` lacks the counter only if its recounted count is 0 as well.
 */
function findUnreadableDifferences(
  counters: Page<number>,
  differences: CounterDifference[],
): CounterDifference[] {
  return counters.filter((entry) => "fault" in entry).map(({ key }) => {
    const counter = counterOf(key);
    const name = counter.join("/");
    return differences.find((difference) => difference.counter.join("/") === name) ??
      { counter, storedCount: 0, recounted: 0 };
  });
}

/**
 * How many times a recount tries to read the counters at one moment, while other commits change them. After that, it
 * begins with counters that are not exact.
 */
const MAX_READS = 20;

/** The state of the store at the moment at which a recount begins. */
interface RecountStart {
  /**
   * The number of the recount. Every record that is written after the start of the recount has this number or a higher
   * one.
   */
  recountNumber: number;
  /**
   * The version of the commit that began the recount. This commit writes the entry of the schema, and every later
   * commit of people checks that entry, so every later commit has a higher version.
   */
  version: Version;
  /** The number of records that were removed before the recount began. */
  removals: number;
  counters: Page<number>;
  /** Whether the counters are exactly as they were when the recount began. */
  areExact: boolean;
  /** The date-time just after the commit that began the recount. */
  begunAt: string;
}

/**
 * Begins a recount by a commit that gives the recount its number. Reads the counters, as they are at the moment of this
 * commit if possible.
 */
async function beginRecount(kv: Kv, { now }: Pick<Runtime, "now">): Promise<RecountStart> {
  let reads = 0;
  const begun = await commitChange(kv, async () => {
    // Reads the total to notice changes: each commit that changes a counter writes the total as well.
    const [total] = await readMany(kv, [counterKey(["total"])]);
    const counters = await readCounters(kv);
    const schema = await readSchema(kv);
    const { recounts = 0, removals = 0 } = schema.entry.value ?? {};
    const commit = new Commit().check(schema.entry);
    const recountNumber = recounts + 1;
    setSchema(commit, schema, { recounts: recountNumber });
    reads++;
    const areExact = reads <= MAX_READS && total !== undefined;
    if (areExact) commit.check(total);
    return {
      commit,
      result: (version) => ({ recountNumber, version, removals, counters, areExact }),
    };
  });
  const begunAt = new Date(now()).toISOString();
  if (begun.areExact) return { ...begun, begunAt };
  // Reads the counters again. The counters now also count changes after the start of the recount; the records of these
  // changes have the number of the recount.
  return { ...begun, begunAt, counters: await readCounters(kv) };
}

const readCounters = async (kv: Kv): Promise<Page<number>> =>
  (await Array.fromAsync(pages<number>(kv, COUNTERS))).flat();

/** Tells whether a record has changed, or was added, since the start of the recount. */
function changeSince(
  { recountNumber, begunAt, areExact }: RecountStart,
  { recount, createdAt, updatedAt }: SignUpRecord,
): RecordChange {
  if (recount === undefined || recount < recountNumber) return "unchanged";
  // A changed record does not count as new, even if `createdAt` is after the start: the clocks of processes differ, so
  // the record may have existed before the start.
  const isNew = createdAt > begunAt && createdAt === updatedAt;
  return isNew && areExact ? "added" : "changed";
}
