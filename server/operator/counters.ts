/**
 * The operations that verify and repair the counters. The counters are numbers that are kept beside the records, such
 * as the number of people in each state. @module
 */
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { PeopleStore, StoreRecount } from "../store/people/mod.ts";
import { emptyBodySchema } from "./fields.ts";
import type { Operations } from "./operation.ts";
import { progressLines } from "./progress_lines.ts";

interface CounterNeeds
  extends Pick<PeopleStore, "readTotal" | "recount" | "repairCounters">, Pick<Runtime, "repeat"> {}

/** Makes the operations on counters. */
export function counterOperations(
  { readTotal, recount, repairCounters, repeat }: CounterNeeds,
): Pick<Operations, "verifyCounters" | "repairCounters"> {
  return {
    verifyCounters: {
      body: emptyBodySchema,
      act: async () => ({
        lines: progressLines({ work: recount(), repeat }, ({ report }) => toRecountReport(report)),
        total: await readTotal(),
      }),
    },

    repairCounters: {
      body: emptyBodySchema,
      async act(_input, call) {
        const repair = repairCounters(call.auditEntry());
        const lines = progressLines({ work: repair, repeat }, (report): Schemas.RepairReport => {
          const { repaired, recounts } = report;
          return { ...toRecountReport(report), repaired, recounts };
        });
        return { lines, total: await readTotal() };
      },
    },
  };
}

/** Makes the report about a recount: the differences between the stored counts and the recounted numbers. */
export function toRecountReport(report: StoreRecount): Schemas.RecountReport {
  const { records, changed, exact, agrees, unreadable, lists } = report;
  const statisticsDifferences = report.differences.map(({ counter, storedCount, recounted }) => ({
    counter: counter.join("/"),
    kept: storedCount,
    recounted,
  }));
  const lineDifferences = report.line.map((
    { counter: { level, period }, storedCount, recounted },
  ) => ({
    counter: `line/${level}/${period}`,
    kept: storedCount,
    recounted,
  }));
  const referralDifferences = report.referrals.map(({ id, storedCount, recounted }) => ({
    counter: `referrals/${id}`,
    kept: storedCount,
    recounted,
  }));
  return {
    complete: true,
    records,
    changed,
    exact,
    agrees,
    differences: [...statisticsDifferences, ...lineDifferences, ...referralDifferences],
    unreadable,
    lists,
  };
}
