import { recountRecords } from "../../store/recount.ts";
import { readTotal } from "../../store/statistics.ts";
import { type CreateOperation, takingNothing } from "../operation.ts";
import { describeRecount, progressLines } from "../recount_lines.ts";

/** `verifyCounters`: holds the counters against a recount of all records. */
export const verifyCounters: CreateOperation = ({ kv, now }) =>
  takingNothing(async () => {
    const lines = progressLines(recountRecords(kv, now), ({ report }) => describeRecount(report));
    return { lines, total: await readTotal(kv) };
  });
