import { readBackupLine } from "../../../shared/backup_lines.ts";
import type { Line } from "../../../shared/lines.ts";
import type { BackupLine, RestoredLines } from "../../../shared/operator_schemas.ts";
import { findRestore, restoreLines } from "../../store/restores.ts";
import { LINE_FAULTS } from "../line_faults.ts";
import { type CreateOperation, takingLines } from "../operation.ts";
import { restoreConflict } from "../restore_conflict.ts";
import { BatchWriter } from "../batch_writer.ts";

/** Lines that are stored together. */
const WINDOW = 1_000;

/** `restoreLines`: stores lines of the backup that the store has been given to. */
export const restoreLinesOperation: CreateOperation = (parts) =>
  takingLines(async (lines, { parameters }) => {
    const restore = await findRestore(parts.kv);
    if (restore?.checksum !== parameters.checksum) return restoreConflict("not_begun");

    const result: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
    await using writer = new BatchWriter<BackupLine>(WINDOW, async (items) => {
      const stored = await restoreLines(parts, items);
      for (const key of ["restored", "unchanged", "erased"] as const) result[key] += stored[key];
    });
    for await (const group of lines) {
      for (const line of group) {
        const read = readLine(line);
        if ("reason" in read) {
          const message = `Line ${line.number} is none of a backup's: ${read.reason}`;
          return { failure: "invalid_request", message };
        }
        await writer.add(read.line);
      }
    }
    await writer.flush();
    return { json: result };
  });

function readLine(line: Line): { line: BackupLine } | { reason: string } {
  if ("fault" in line) return { reason: LINE_FAULTS[line.fault] };
  const read = readBackupLine(line.text);
  return read ? { line: read } : { reason: "It does not have the form of one." };
}
