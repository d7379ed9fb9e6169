import { z } from "zod";
import {
  backupCountsSchema,
  checksumSchema,
  readBackupLine,
} from "../../../shared/backup_lines.ts";
import type { Line } from "../../../shared/lines.ts";
import type { BackupLine, NewRestore, RestoredLines } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { BatchWriter, LINE_FAULT_MESSAGES } from "../signups/mod.ts";
import { describeRecount, progressLines } from "./counters.ts";
import { type CreateOperatorOperation, NOTHING, onJson } from "../operation.ts";

/** The number of lines of a backup that are stored together. */
const LINES_AT_ONCE = 1_000;

const newRestoreSchema: z.ZodType<NewRestore> = z.strictObject({
  checksum: checksumSchema,
  counts: backupCountsSchema,
  resume: z.boolean().exactOptional(),
});

/** `beginRestore`: begins to restore a backup into an empty store, or continues a restore. */
export const beginRestoreOperation: CreateOperatorOperation = (dependencies) => ({
  id: "beginRestore",
  method: "POST",
  path: "/operator/v1/restores",
  ...onJson(newRestoreSchema, async (body, call) => {
    const entry = auditEntry("beginRestore", call, dependencies);
    const begun = await dependencies.store.beginRestore(body, {
      ...entry,
      details: { checksum: body.checksum },
    });
    if ("restore" in begun) return jsonAnswer(begun.restore);
    return { failure: "restore_conflict", conflict: begun.conflict };
  }),
});

/** `restoreLines`: stores lines of the backup whose restore has begun. */
export const restoreLinesOperation: CreateOperatorOperation = (dependencies) => ({
  id: "restoreLines",
  method: "POST",
  path: "/operator/v1/restores/{checksum}/lines",
  body: "ndjson",
  async act(lines, call) {
    const { store } = dependencies;
    const { checksum = "" } = call.parameters;
    const restore = await store.findRestore();
    if (restore?.checksum !== checksum) {
      return { failure: "restore_conflict", conflict: "not_begun" };
    }
    let isClaimed = !restore.pending;
    let isLost = false;
    const result: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
    const audit = auditEntry("restoreLines", call, dependencies);
    audit.details = { checksum };
    await using writer = new BatchWriter<BackupLine>(LINES_AT_ONCE, async (items) => {
      if (items.length === 0 || isLost) return;
      isClaimed ||= await store.claimStore(checksum, audit);
      isLost = !isClaimed;
      if (isLost) return;
      const stored = await store.restoreLines(items, audit);
      for (const key of ["restored", "unchanged", "erased"] as const) result[key] += stored[key];
      audit.details = { checksum, ...result };
    });
    for await (const group of lines) {
      for (const line of group) {
        const read = readLine(line);
        if ("reason" in read) {
          const message = `Line ${line.number} is not a line of a backup: ${read.reason}`;
          return { failure: "invalid_request", message };
        }
        await writer.add(read.line);
      }
    }
    await writer.flush();
    // The restore of another backup may have begun meanwhile.
    if (isLost) return { failure: "restore_conflict", conflict: "not_begun" };
    // The commits have written the entry already, with the numbers of the lines before them.
    if (result.restored > 0) {
      await store.writeAuditEntry({ ...audit, details: { checksum, ...result, complete: true } });
    }
    return jsonAnswer(result);
  },
});

function readLine(line: Line): { line: BackupLine } | { reason: string } {
  if ("fault" in line) return { reason: LINE_FAULT_MESSAGES[line.fault] };
  const read = readBackupLine(line.text);
  return read ? { line: read } : { reason: "It does not have the form of such a line." };
}

/**
 * `finishRestore`: recounts the records and ends the restore if the counters are right. It also recounts
 * where no restore is running, so that a client that lost the answer can ask again.
 */
export const finishRestoreOperation: CreateOperatorOperation = (dependencies) => ({
  id: "finishRestore",
  method: "POST",
  path: "/operator/v1/restores/{checksum}/finish",
  ...onJson(NOTHING, async (_body, call) => {
    const { store } = dependencies;
    const { checksum = "" } = call.parameters;
    const restore = await store.findRestore();
    const isOther = restore !== undefined && restore.checksum !== checksum;
    if (isOther && !restore.pending) {
      return { failure: "restore_conflict", conflict: "other" };
    }
    const audit = { ...auditEntry("finishRestore", call, dependencies), details: { checksum } };
    const lines = progressLines(store.recount(), async ({ report }) => {
      if (restore && !isOther && report.agrees) await store.endRestore(restore, audit);
      return describeRecount(report);
    });
    return { lines, total: await store.readTotal() };
  }),
});
