/**
 * Repairs the counters: recounts the records (`recount.ts`) until a recount is exact, and changes the counters by the
 * differences that this recount has found. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { CounterDifference } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { Commit, commitChange, counterKey, type Kv, readSchema, setSchema } from "../kv/mod.ts";
import { type NumberedRecount, recountRecords, type StoreRecount } from "./recount.ts";

/** How many recounts a repair makes at most until a recount is exact. */
const MAX_RECOUNTS = 5;

/**
 * How many counters one commit repairs at most. A counter that cannot be read takes two writes, and a commit may have
 * only 950 writes.
 */
const REPAIRED_AT_ONCE = 450;

/**
 * The findings of the last recount. The faults of the lists, of the place in line and of referrals come from all
 * recounts together, and so do the differences by which counters were repaired.
 */
export interface StoreRepair extends StoreRecount {
  /** Whether all counters are right now. If not, some counters may have been repaired nevertheless. */
  repaired: boolean;
  /** The number of recounts that were made. */
  recounts: number;
}

/**
 * Recounts until a recount is exact, {@linkcode MAX_RECOUNTS} times at most, and repairs the counters by the
 * differences of the exact recount. Repairs the lists in any case. If a counter could not be read before its repair,
 * recounts once more, because the repair may have lost a change of this counter during the recount.
 * Yields the number of records counted so far in each recount.
 */
export async function* repairCounters(
  kv: Kv,
  { now }: Pick<Runtime, "now">,
  audit?: AuditEntry,
): AsyncGenerator<number, StoreRepair> {
  let faults: ListFindings = {
    lists: { missing: 0, surplus: 0 },
    line: [],
    referrals: [],
  };
  /** The differences by which earlier passes of the loop have repaired counters. */
  let repairedDifferences: CounterDifference[] = [];
  for (let recounts = 1;; recounts++) {
    const recount = yield* recountRecords(kv, { now }, { repairs: true });
    const { report, unreadableDifferences } = recount;
    faults = addFindings(faults, report);
    const differences = repairedDifferences.concat(report.differences);
    const areApplied = report.exact && await applyDifferences(kv, recount, audit);
    const repaired = areApplied && unreadableDifferences.length === 0;
    if (repaired || recounts === MAX_RECOUNTS) {
      return { ...report, ...faults, differences, repaired, recounts };
    }
    if (areApplied) repairedDifferences = differences;
  }
}

/** What a recount finds besides the counters of the statistics, and repairs by itself. */
type ListFindings = Pick<StoreRecount, "lists" | "line" | "referrals">;

/** Adds the findings of a further recount to the findings of the earlier recounts. */
function addFindings(earlier: ListFindings, further: ListFindings): ListFindings {
  return {
    lists: {
      missing: earlier.lists.missing + further.lists.missing,
      surplus: earlier.lists.surplus + further.lists.surplus,
    },
    line: earlier.line.concat(further.line),
    referrals: earlier.referrals.concat(further.referrals),
  };
}

/**
 * Changes the counters by the differences that a recount has found.
 * @returns `false` if another recount or repair has begun since; some of the counters may have been changed
 */
async function applyDifferences(
  kv: Kv,
  { report: { differences }, recountNumber, unreadableDifferences }: NumberedRecount,
  audit: AuditEntry | undefined,
): Promise<boolean> {
  const auditEntry = audit && { ...audit, details: { corrected: differences.length } };
  // Each commit takes the next number of a recount, so that no other recount or repair can go on beside this repair.
  let lastNumber = recountNumber;
  for (let from = 0; from < differences.length; from += REPAIRED_AT_ONCE) {
    const batch = differences.slice(from, from + REPAIRED_AT_ONCE);
    const isDone = await commitChange(kv, async () => {
      const schema = await readSchema(kv);
      if (schema.entry.value?.recounts !== lastNumber) return { result: () => false };
      const commit = new Commit().check(schema.entry);
      setSchema(commit, schema, { recounts: lastNumber + 1 });
      setAuditEntry(commit, auditEntry);
      // Deletes the counters that cannot be read, because an engine may refuse to add to such a counter.
      for (const difference of batch) {
        if (unreadableDifferences.includes(difference)) {
          commit.delete(counterKey(difference.counter));
        }
      }
      for (const { counter, storedCount, recounted } of batch) {
        commit.add(counterKey(counter), recounted - storedCount);
      }
      // Writes the total, so that readers of the statistics notice by its new version that a counter has changed.
      commit.add(counterKey(["total"]), 0);
      return { commit, result: () => true };
    });
    if (!isDone) return false;
    lastNumber++;
  }
  return true;
}
