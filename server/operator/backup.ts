/** The operations that back the store up, and that restore a backup. @module */
import { z } from "zod";
import { backupCountsSchema, checksumSchema, readBackupLine } from "../../shared/backup_lines.ts";
import type { Line } from "../../shared/lines.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../runtime/mod.ts";
import { type AuditStore, writeCompletion } from "../store/audit/mod.ts";
import type { BackupStore } from "../store/backup/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { toRecountReport } from "./counters.ts";
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

/** The failure of lines for a restore that has not begun, or that has ended. */
const NOT_BEGUN_FAILURE: OperatorFailure = { failure: "restore_conflict", conflict: "not_begun" };

/** The message of the failure of `finishRestore` if no restore is under way. */
const NOT_UNDER_WAY_MESSAGE =
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
    "readTotal" | "recount" | "resolveReferrals" | "removeAbsentReferrers"
  >,
  Pick<Runtime, "repeat"> {
  yieldToCalls: YieldToCalls;
}

type BackupOperations = Pick<
  Operations,
  "backUp" | "beginRestore" | "restoreLines" | "finishRestore"
>;

/** Makes the operations on backups and restores. */
export function backupOperations(needs: BackupNeeds): BackupOperations {
  const { backUp, findRestore, beginRestore, endRestore } = needs;
  const { writeAuditEntry, readTotal, recount } = needs;
  const { resolveReferrals, removeAbsentReferrers, repeat } = needs;

  /**
   * Resolves the referral codes of a restored store, removes the referral counts of people who are not on the list,
   * and recounts. It runs after the last line of the backup, because the line of a referring person may come
   * after the lines of the people whom that person referred.
   */
  async function* resolveAndRecount() {
    await resolveReferrals();
    // The progress is 0 until the recount begins, because it is the number of recounted records.
    for await (const _ of removeAbsentReferrers()) yield 0;
    return yield* recount();
  }

  return {
    backUp: {
      body: emptyBodySchema,
      async act(_input, call) {
        const restore = await findRestore();
        // A pending restore has stored no line yet.
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
          return { failure: "unknown", message: NOT_UNDER_WAY_MESSAGE };
        }
        const entry = call.auditEntry({ checksum });
        const lines = progressLines({ work: resolveAndRecount(), repeat }, async ({ report }) => {
          if (report.agrees) await endRestore(restore, entry);
          return toRecountReport(report);
        });
        return { lines, total: await readTotal() };
      },
    },
  };
}

/** Makes the operation that restores lines of a backup. The first line that is at fault ends the call. */
const createRestoreLines = (
  { findRestore, claimStore, restoreLines, writeAuditEntry, yieldToCalls }: Pick<
    BackupNeeds,
    "findRestore" | "claimStore" | "restoreLines" | "writeAuditEntry" | "yieldToCalls"
  >,
): OperatorOperation<"restoreLines"> => ({
  async act({ checksum, lines }, call) {
    const restore = await findRestore();
    if (restore?.checksum !== checksum) return NOT_BEGUN_FAILURE;
    let isClaimed = !restore.pending;
    const counts: Schemas.RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
    const entry = call.auditEntry({ checksum });
    for await (const parsedLines of readBatches(lines, { toItem: parseLine, yieldToCalls })) {
      const failure = parsedLines.find((parsedLine) => "failure" in parsedLine);
      if (failure) return failure;
      const batch = parsedLines.filter((parsedLine) => "backupLine" in parsedLine);
      if (batch.length === 0) continue;
      isClaimed ||= await claimStore(checksum, entry);
      // The lines are refused, because this restore has ended, or the restore of another backup has begun, in the
      // meantime.
      if (!isClaimed) return NOT_BEGUN_FAILURE;
      const outcome = await restoreLines(batch.map(({ backupLine }) => backupLine), entry);
      counts.restored += outcome.restored;
      counts.unchanged += outcome.unchanged;
      counts.erased += outcome.erased;
      entry.details = { checksum, ...counts };
      if (outcome.refused) {
        const { index, reason } = outcome.refused;
        const message = `Line ${batch[index]!.number} cannot be restored: ${reason}`;
        return { failure: "invalid_request", message };
      }
    }
    if (counts.restored > 0) await writeCompletion(writeAuditEntry, entry);
    return counts;
  },
});

/** A line of a backup with its number in the file, or the failure if the line does not have the form of such a line. */
type ParsedLine =
  | { number: number; backupLine: Schemas.BackupLine }
  | { failure: "invalid_request"; message: string };

/** Parses a line of a backup. */
function parseLine(line: Line): ParsedLine {
  const backupLine = "text" in line && readBackupLine(line.text);
  if (backupLine) return { number: line.number, backupLine };
  const reason = "fault" in line
    ? LINE_FAULT_MESSAGES[line.fault]
    : "It does not have the form of such a line.";
  const message = `Line ${line.number} is not a line of a backup: ${reason}`;
  return { failure: "invalid_request", message };
}
