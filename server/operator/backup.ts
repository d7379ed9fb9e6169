/** The operations on the store as a whole: backup, restore and counters. @module */
import { z } from "zod";
import { backupCountsSchema, checksumSchema, readBackupLine } from "../../shared/backup_lines.ts";
import type { Line } from "../../shared/lines.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import type { StoreRecount } from "../store/people/mod.ts";
import { auditEntry, writeCompletion } from "./audit.ts";
import type { OperatorFailure } from "./failure.ts";
import { LINE_FAULT_MESSAGES, readBatches } from "./line_batches.ts";
import { NOTHING, onJson, type OperatorDependencies, type OperatorOperation } from "./operation.ts";

const LINES_AT_ONCE = 1_000;

const newRestoreSchema: z.ZodType<Schemas.RequestedRestore> = z.strictObject({
  checksum: checksumSchema,
  counts: backupCountsSchema,
  resume: z.boolean().exactOptional(),
});

const NOT_BEGUN: OperatorFailure = { failure: "restore_conflict", conflict: "not_begun" };

const NOT_UNDER_WAY =
  "No restore of this backup is under way. If it was finished and the answer was " +
  "lost, POST /operator/v1/counters/verify recounts the records.";

export function backupOperations(dependencies: OperatorDependencies) {
  const { store } = dependencies;
  return {
    backUp: onJson(NOTHING, async (_body, call) => {
      const restore = await store.findRestore();
      if (!restore || restore.pending) {
        // It comes first, so that no backup leaves the service unnoticed.
        await store.writeAuditEntry(auditEntry(call, dependencies));
        return { lines: store.backUp(), total: await store.readTotal() };
      }
      const message =
        `The store holds only a part of the backup ${restore.checksum}, whose restore ` +
        `began at ${restore.startedAt}; finish that first.`;
      return { failure: "conflict", message };
    }),

    beginRestore: onJson(newRestoreSchema, async (body, call) => {
      const { checksum } = body;
      const audit = auditEntry(call, dependencies, { checksum });
      const begun = await store.beginRestore(body, audit);
      if ("restore" in begun) return jsonAnswer(begun.restore);
      return { failure: "restore_conflict", conflict: begun.conflict };
    }),

    restoreLines: restoreLines(dependencies),

    /** Ends the restore if the counters are right; recounts in any case, for a client that has lost the answer. */
    finishRestore: onJson(NOTHING, async (_body, call) => {
      const { checksum = "" } = call.parameters;
      const restore = await store.findRestore();
      if (restore?.checksum !== checksum) {
        if (restore && !restore.pending) return { failure: "restore_conflict", conflict: "other" };
        return { failure: "unknown", message: NOT_UNDER_WAY };
      }
      const audit = auditEntry(call, dependencies, { checksum });
      const lines = progressLines(store.recount(), async ({ report }) => {
        if (report.agrees) await store.endRestore(restore, audit);
        return describeRecount(report);
      });
      return { lines, total: await store.readTotal() };
    }),

    verifyCounters: onJson(NOTHING, async () => ({
      lines: progressLines(store.recount(), ({ report }) => describeRecount(report)),
      total: await store.readTotal(),
    })),

    repairCounters: onJson(NOTHING, async (_body, call) => {
      const repair = store.repairCounters(auditEntry(call, dependencies));
      const lines = progressLines(repair, (report): Schemas.RepairReport => {
        const { repaired, recounts } = report;
        return { ...describeRecount(report), repaired, recounts };
      });
      return { lines, total: await store.readTotal() };
    }),
  };
}

const restoreLines = (dependencies: OperatorDependencies): OperatorOperation => ({
  body: "ndjson",
  async act(lines, call) {
    const { store } = dependencies;
    const { checksum = "" } = call.parameters;
    const restore = await store.findRestore();
    if (restore?.checksum !== checksum) return NOT_BEGUN;
    let isClaimed = !restore.pending;
    const result: Schemas.RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
    const audit = auditEntry(call, dependencies, { checksum });
    for await (const read of readBatches(lines, LINES_AT_ONCE, readLine)) {
      const fault = read.find((each) => "failure" in each);
      if (fault) return fault;
      const items = read.filter((each) => "kind" in each);
      if (items.length === 0) continue;
      isClaimed ||= await store.claimStore(checksum, audit);
      // The restore of another backup may have begun meanwhile.
      if (!isClaimed) return NOT_BEGUN;
      const stored = await store.restoreLines(items, audit);
      for (const key of ["restored", "unchanged", "erased"] as const) result[key] += stored[key];
      audit.details = { checksum, ...result };
    }
    if (result.restored > 0) await writeCompletion(store, audit);
    return jsonAnswer(result);
  },
});

function readLine(line: Line) {
  const read = "text" in line && readBackupLine(line.text);
  if (read) return read;
  const reason = "fault" in line
    ? LINE_FAULT_MESSAGES[line.fault]
    : "It does not have the form of such a line.";
  const message = `Line ${line.number} is not a line of a backup: ${reason}`;
  return { failure: "invalid_request" as const, message };
}

/** The lines of an answer about long work: its progress, and at last the result of `conclude`. */
async function* progressLines<T, Result>(
  work: AsyncGenerator<number, T>,
  conclude: (result: T) => Result | Promise<Result>,
): AsyncGenerator<[Schemas.Progress] | [Result]> {
  // Sent at once, so that the client knows that the work has begun.
  yield [{ progress: 0 }];
  for (;;) {
    const step = await work.next();
    if (step.done) return yield [await conclude(step.value)];
    yield [{ progress: step.value }];
  }
}

function describeRecount(report: StoreRecount): Schemas.RecountReport {
  const { records, changed, exact, agrees, unreadable, lists } = report;
  const differences = report.differences.map(({ counter, kept, recounted }) => ({
    counter: counter.join("/"),
    kept,
    recounted,
  }));
  return { complete: true, records, changed, exact, agrees, differences, unreadable, lists };
}
