/** The operations on the store as a whole: backup, restore and counters. @module */
import { z } from "zod";
import { backupCountsSchema, checksumSchema, readBackupLine } from "../../shared/backup_lines.ts";
import type { Line } from "../../shared/lines.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { type AuditStore, writeCompletion } from "../store/audit/mod.ts";
import type { Runtime, YieldToCalls } from "../runtime/mod.ts";
import type { BackupStore } from "../store/backup/mod.ts";
import type { PeopleStore, StoreRecount } from "../store/people/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import { emptyBodySchema } from "./fields.ts";
import { LINE_FAULT_MESSAGES, readBatches } from "./line_batches.ts";
import type { Operations, OperatorOperation } from "./operation.ts";
import { progressLines } from "./progress_lines.ts";

const newRestoreSchema: z.ZodType<Schemas.RequestedRestore> = z.strictObject({
  checksum: checksumSchema,
  counts: backupCountsSchema,
  resume: z.boolean().exactOptional(),
});

const NOT_BEGUN: OperatorFailure = { failure: "restore_conflict", conflict: "not_begun" };

const NOT_UNDER_WAY =
  "No restore of this backup is under way. If it was finished and the answer was " +
  "lost, POST /operator/v1/counters/verify recounts the records.";

interface BackupNeeds extends
  Pick<
    BackupStore,
    "backUp" | "findRestore" | "beginRestore" | "claimStore" | "restoreLines" | "endRestore"
  >,
  Pick<AuditStore, "writeAuditEntry">,
  Pick<
    PeopleStore,
    "readTotal" | "recount" | "repairCounters" | "resolveReferrals" | "removeAbsentReferrers"
  >,
  Pick<Runtime, "repeat"> {
  yieldToCalls: YieldToCalls;
}

type BackupOperations = Pick<
  Operations,
  | "backUp"
  | "beginRestore"
  | "restoreLines"
  | "finishRestore"
  | "verifyCounters"
  | "repairCounters"
>;

export function backupOperations(needs: BackupNeeds): BackupOperations {
  const { backUp, findRestore, beginRestore, endRestore } = needs;
  const { writeAuditEntry, readTotal, recount, repairCounters } = needs;
  const { resolveReferrals, removeAbsentReferrers, repeat } = needs;

  /**
   * Resolves the referral codes of a restored store, removes the numbers of referrals of people who are not on the
   * list, and recounts. It runs after the last line of the backup, because the line of a referring person may come
   * after the lines of the people whom that person referred.
   */
  async function* resolveAndRecount() {
    await resolveReferrals();
    for await (const _ of removeAbsentReferrers()) yield 0;
    return yield* recount();
  }

  return {
    backUp: {
      body: emptyBodySchema,
      async act(_input, call) {
        const restore = await findRestore();
        if (!restore || restore.pending) {
          // The audit entry is written first, so that no backup leaves the service without an audit entry.
          await writeAuditEntry(call.auditEntry());
          return { text: backUp(), total: await readTotal() };
        }
        const message =
          `The store holds only a part of the backup ${restore.checksum}, whose restore ` +
          `began at ${restore.startedAt}; finish that first.`;
        return { failure: "conflict", message };
      },
    },

    beginRestore: {
      body: newRestoreSchema,
      async act(request, call) {
        const entry = call.auditEntry({ checksum: request.checksum });
        const outcome = await beginRestore(request, entry);
        if ("restore" in outcome) return outcome.restore;
        return { failure: "restore_conflict", conflict: outcome.conflict };
      },
    },

    restoreLines: createRestoreLines(needs),

    /**
     * Ends the restore if the counters are right. A call for a restore that has already ended fails. The message of
     * this failure tells a client that lost the answer how to recount.
     */
    finishRestore: {
      body: emptyBodySchema,
      async act({ checksum }, call) {
        const restore = await findRestore();
        if (restore?.checksum !== checksum) {
          if (restore && !restore.pending) {
            return { failure: "restore_conflict", conflict: "other" };
          }
          return { failure: "unknown", message: NOT_UNDER_WAY };
        }
        const entry = call.auditEntry({ checksum });
        const lines = progressLines({ work: resolveAndRecount(), repeat }, async ({ report }) => {
          if (report.agrees) await endRestore(restore, entry);
          return describeRecount(report);
        });
        return { lines, total: await readTotal() };
      },
    },

    verifyCounters: {
      body: emptyBodySchema,
      act: async () => ({
        lines: progressLines({ work: recount(), repeat }, ({ report }) => describeRecount(report)),
        total: await readTotal(),
      }),
    },

    repairCounters: {
      body: emptyBodySchema,
      async act(_input, call) {
        const repair = repairCounters(call.auditEntry());
        const lines = progressLines({ work: repair, repeat }, (report): Schemas.RepairReport => {
          const { repaired, recounts } = report;
          return { ...describeRecount(report), repaired, recounts };
        });
        return { lines, total: await readTotal() };
      },
    },
  };
}

const createRestoreLines = (
  { findRestore, claimStore, restoreLines, writeAuditEntry, yieldToCalls }: Pick<
    BackupNeeds,
    "findRestore" | "claimStore" | "restoreLines" | "writeAuditEntry" | "yieldToCalls"
  >,
): OperatorOperation<"restoreLines"> => ({
  async act({ checksum, lines }, call) {
    const restore = await findRestore();
    if (restore?.checksum !== checksum) return NOT_BEGUN;
    let isClaimed = !restore.pending;
    const result: Schemas.RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
    const entry = call.auditEntry({ checksum });
    for await (const batch of readBatches(lines, { read: readLine, yieldToCalls })) {
      const fault = batch.find((line) => "failure" in line);
      if (fault) return fault;
      const items = batch.filter((line) => "line" in line);
      if (items.length === 0) continue;
      isClaimed ||= await claimStore(checksum, entry);
      // The lines are refused, because this restore has ended, or the restore of another backup has begun, in the
      // meantime.
      if (!isClaimed) return NOT_BEGUN;
      const stored = await restoreLines(items.map(({ line }) => line), entry);
      for (const key of ["restored", "unchanged", "erased"] as const) result[key] += stored[key];
      entry.details = { checksum, ...result };
      if (stored.refused) {
        const { index, reason } = stored.refused;
        const message = `Line ${items[index]!.number} cannot be restored: ${reason}`;
        return { failure: "invalid_request", message };
      }
    }
    if (result.restored > 0) await writeCompletion(writeAuditEntry, entry);
    return result;
  },
});

type ReadLine =
  | { number: number; line: Schemas.BackupLine }
  | { failure: "invalid_request"; message: string };

function readLine(line: Line): ReadLine {
  const parsed = "text" in line && readBackupLine(line.text);
  if (parsed) return { number: line.number, line: parsed };
  const reason = "fault" in line
    ? LINE_FAULT_MESSAGES[line.fault]
    : "It does not have the form of such a line.";
  const message = `Line ${line.number} is not a line of a backup: ${reason}`;
  return { failure: "invalid_request", message };
}

function describeRecount(report: StoreRecount): Schemas.RecountReport {
  const { records, changed, exact, agrees, unreadable, lists } = report;
  const inStatistics = report.differences.map(({ counter, storedCount, recounted }) => ({
    counter: counter.join("/"),
    kept: storedCount,
    recounted,
  }));
  const inLine = report.line.map(({ counter: { level, period }, storedCount, recounted }) => ({
    counter: `line/${level}/${period}`,
    kept: storedCount,
    recounted,
  }));
  const inReferrals = report.referrals.map(({ id, storedCount, recounted }) => ({
    counter: `referrals/${id}`,
    kept: storedCount,
    recounted,
  }));
  const differences = [...inStatistics, ...inLine, ...inReferrals];
  return { complete: true, records, changed, exact, agrees, differences, unreadable, lists };
}
