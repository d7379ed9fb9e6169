import type { RepairReport } from "../../../shared/operator_schemas.ts";
import { repairCounters } from "../../store/recount.ts";
import { readTotal } from "../../store/statistics.ts";
import { type CreateOperation, takingNothing } from "../operation.ts";
import { describeRecount, progressLines } from "../recount_lines.ts";

/** `repairCounters`: corrects the counters by what an exact recount finds. */
export const repairCountersOperation: CreateOperation = ({ kv, now }) =>
  takingNothing(async () => {
    const lines = progressLines(repairCounters(kv, now), (report): RepairReport => {
      const { repaired, recounts } = report;
      return { ...describeRecount(report), repaired, recounts };
    });
    return { lines, total: await readTotal(kv) };
  });
