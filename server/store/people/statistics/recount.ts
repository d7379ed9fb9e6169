/**
 * Recounts all records, compares the lists with them and, where the recount was exact, corrects the counters.
 *
 * A recount is of the moment at which it writes its number into the entry of the schema, which every commit of a record
 * checks: records that are written later carry the number. The counters are those of that moment, and the records are
 * read after it. There are three kinds of changes meanwhile:
 *
 * - A record that is already counted changes: it was counted as it was at that moment.
 * - A record is added before the recount reads it: its `createdAt` is later, so it is left out.
 * - A record is changed or removed before the recount reads it: what it was is not known. Only these changes make a
 *   recount inexact, and each of them moves any counter by one at the most.
 *
 * Later commits move counters and records alike, so a correction by the differences loses no sign-up. As each
 * correction takes the next number, there is no second one. @module
 */
import { type CounterDifference, type RecordChange, Recount } from "../../../waitlist/mod.ts";
import { type RecountResult, type SignUpRecord } from "../../../waitlist/mod.ts";
import type { AuditEntry, UnreadableRecord } from "../../../../shared/operator_schemas.ts";
import type { Runtime } from "../../../runtime/mod.ts";
import { setAuditEntry } from "../../audit/mod.ts";
import { Commit, commitChange, counterKey, counterOf, COUNTERS, type Kv } from "../../kv/mod.ts";
import { type Page, pages, readMany, readSchema, setSchema } from "../../kv/mod.ts";
import { createListCheck, type ListFaults } from "./list_check.ts";
import { readSignUpPages } from "../records.ts";

const PROGRESS_STEP = 20_000;

export interface StoreRecount extends RecountResult {
  unreadable: UnreadableRecord[];
  lists: ListFaults;
}

/** Recounts all records, and compares the lists with them. Yields the number of records counted so far. */
export async function* recountRecords(
  kv: Kv,
  runtime: Pick<Runtime, "now">,
  { mendsLists = false } = {},
): AsyncGenerator<number, { report: StoreRecount; number: number; lost: CounterDifference[] }> {
  const start = await begin(kv, runtime);
  const recount = new Recount();
  const check = createListCheck(kv);
  const unreadable: UnreadableRecord[] = [];
  let next = PROGRESS_STEP;
  for await (const page of readSignUpPages(kv)) {
    for (const each of page.records) {
      recount.add(each.record, changeSince(start, each.record));
      check.addRecord(each);
    }
    unreadable.push(...page.unreadable);
    if (recount.records < next) continue;
    yield recount.records;
    next += PROGRESS_STEP;
  }
  const stored = start.counters.flatMap((entry) =>
    "fault" in entry ? [] : [{ counter: counterOf(entry.key), count: entry.value }]
  );
  const { entry: { value: schema } } = await readSchema(kv);
  const counted = recount.compare(stored, (schema?.removals ?? 0) - start.removals);
  const lost = findLost(start.counters, counted.differences);
  const differences = [...new Set([...lost, ...counted.differences])];
  const lists = yield* check.compare({ mends: mendsLists, progress: recount.records });
  const isRight = lost.length === 0 && lists.missing === 0 && lists.surplus === 0;
  const agrees = counted.agrees && isRight;
  const report = { ...counted, differences, agrees, unreadable, lists };
  return { report, number: start.number, lost };
}

/** Gives the differences of counters that cannot be read, which count as zero. */
function findLost(counters: Page<number>, differences: CounterDifference[]): CounterDifference[] {
  return counters.filter((entry) => "fault" in entry).map(({ key }) => {
    const counter = counterOf(key);
    const name = counter.join("/");
    return differences.find((each) => each.counter.join("/") === name) ??
      { counter, kept: 0, recounted: 0 };
  });
}

type Start = Awaited<ReturnType<typeof begin>>;

const readCounters = async (kv: Kv) => (await Array.fromAsync(pages<number>(kv, COUNTERS))).flat();

/** How often the counters are read again because a commit moved them before the recount began. */
const MAX_READS = 20;

/** Gives a date-time after the moment of the recount, too; `areExact` tells whether the counters are of that moment. */
async function begin(kv: Kv, { now }: Pick<Runtime, "now">) {
  let reads = 0;
  const begun = await commitChange(kv, async () => {
    // Whatever moves a counter writes the total, too.
    const [total] = await readMany(kv, [counterKey(["total"])]);
    const counters = await readCounters(kv);
    const schema = await readSchema(kv);
    const { recounts = 0, removals = 0 } = schema.entry.value ?? {};
    const commit = new Commit().check(schema.entry);
    setSchema(commit, schema, { recounts: recounts + 1 });
    const areExact = ++reads <= MAX_READS && total !== undefined;
    if (areExact) commit.check(total);
    return { commit, result: () => ({ number: recounts + 1, removals, counters, areExact }) };
  });
  const begunAt = new Date(now()).toISOString();
  // What was stored since the moment is then in the counters, and its record tells that it has changed.
  return begun.areExact
    ? { ...begun, begunAt }
    : { ...begun, begunAt, counters: await readCounters(kv) };
}

function changeSince(
  { number, begunAt, areExact }: Start,
  { recount, createdAt, updatedAt }: SignUpRecord,
): RecordChange {
  if (recount === undefined || recount < number) return "unchanged";
  // A record that was changed after it was added may be older, as the clocks of processes differ.
  const isNew = createdAt > begunAt && createdAt === updatedAt;
  return isNew && areExact ? "added" : "changed";
}

const MAX_RECOUNTS = 5;

/** One commit takes 900 writes. */
const CORRECTED_AT_ONCE = 800;

/** The findings of the last recount. The faults of the lists and the corrected differences are those of all recounts. */
export interface StoreRepair extends StoreRecount {
  /** Whether all counters are right now. If not, some of them were corrected or none. */
  repaired: boolean;
  /** The number of recounts until one was exact. */
  recounts: number;
}

/**
 * Recounts until a recount is exact, and corrects the counters by its differences. The lists are mended in any case.
 * A counter that could not be read is recounted once more, because the engine may have added to it meanwhile.
 * Yields the number of records counted so far in each recount.
 */
export async function* repairCounters(
  kv: Kv,
  runtime: Pick<Runtime, "now">,
  audit?: AuditEntry,
): AsyncGenerator<number, StoreRepair> {
  const lists: ListFaults = { missing: 0, surplus: 0 };
  const found: CounterDifference[] = [];
  for (let recounts = 1;; recounts++) {
    const { report, number, lost } = yield* recountRecords(kv, runtime, { mendsLists: true });
    lists.missing += report.lists.missing;
    lists.surplus += report.lists.surplus;
    report.lists = lists;
    const last = recounts === MAX_RECOUNTS;
    const { exact, differences } = report;
    const isCorrected = exact && await correct(kv, { number, differences, lost }, audit);
    const repaired = isCorrected && lost.length === 0;
    if (repaired || last) {
      return { ...report, differences: [...found, ...differences], repaired, recounts };
    }
    if (isCorrected) found.push(...differences);
  }
}

/** Moves the counters; false where another recount or correction has begun since. */
async function correct(
  kv: Kv,
  { number, differences, lost }: {
    number: number;
    differences: CounterDifference[];
    lost: CounterDifference[];
  },
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
      const some = differences.slice(from, from + CORRECTED_AT_ONCE);
      // An engine adds to no counter that it cannot read.
      for (const each of some) {
        if (lost.includes(each)) commit.delete(counterKey(each.counter));
      }
      for (const { counter, kept, recounted } of some) {
        commit.add(counterKey(counter), recounted - kept);
      }
      // Readers of the statistics learn by the total's version that a counter moved.
      commit.add(counterKey(["total"]), 0);
      return { commit, result: () => true };
    });
    if (!isDone) return false;
    number++;
  }
  return true;
}
