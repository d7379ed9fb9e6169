import { recountRecords } from "../../store/recount.ts";
import { endRestore, findRestore } from "../../store/restores.ts";
import { readTotal } from "../../store/statistics.ts";
import { type CreateOperation, takingNothing } from "../operation.ts";
import { describeRecount, progressLines } from "../recount_lines.ts";
import { restoreConflict } from "../restore_conflict.ts";

/**
 * `finishRestore`: recounts, and releases the store where its counters are right. Where no restore is
 * under way it recounts all the same: whoever has lost the last line of the answer asks again.
 */
export const finishRestore: CreateOperation = ({ kv, now }) =>
  takingNothing(async ({ parameters }) => {
    const restore = await findRestore(kv);
    if (restore && restore.checksum !== parameters.checksum) return restoreConflict("other");
    const lines = progressLines(recountRecords(kv, now), async ({ report }) => {
      if (restore && report.agrees) await endRestore(kv);
      return describeRecount(report);
    });
    return { lines, total: await readTotal(kv) };
  });
