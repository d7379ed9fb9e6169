import type {
  Difference,
  Progress,
  RecountReport,
  RepairReport,
} from "../../../shared/operator_schemas.ts";
import type { StoreRecount } from "../../store/people/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { type CreateOperatorOperation, NOTHING, onJson } from "../operation.ts";

/** `verifyCounters`: compares the counters with a recount of all records. */
export const verifyCountersOperation: CreateOperatorOperation = ({ store }) => ({
  id: "verifyCounters",
  method: "POST",
  path: "/operator/v1/counters/verify",
  ...onJson(NOTHING, async () => ({
    lines: progressLines(store.recount(), ({ report }) => describeRecount(report)),
    total: await store.readTotal(),
  })),
});

/** `repairCounters`: corrects the counters by the differences that an exact recount finds. */
export const repairCountersOperation: CreateOperatorOperation = (dependencies) => ({
  id: "repairCounters",
  method: "POST",
  path: "/operator/v1/counters/repair",
  ...onJson(NOTHING, async (_body, call) => {
    const { store } = dependencies;
    const repair = store.repairCounters(auditEntry("repairCounters", call, dependencies));
    const lines = progressLines(repair, (report): RepairReport => {
      const { repaired, recounts } = report;
      return { ...describeRecount(report), repaired, recounts };
    });
    return { lines, total: await store.readTotal() };
  }),
});

/** The lines of an answer about long work on records: its progress, and at last the result of `conclude`. */
export async function* progressLines<T, Result>(
  work: AsyncGenerator<number, T>,
  conclude: (result: T) => Result | Promise<Result>,
): AsyncGenerator<[Progress] | [Result]> {
  // Sent at once, so that the client knows that the work has begun.
  yield [{ progress: 0 }];
  for (;;) {
    const step = await work.next();
    if (step.done) return yield [await conclude(step.value)];
    yield [{ progress: step.value }];
  }
}

/** Describes the findings of a recount as the OpenAPI document has them. */
export function describeRecount(report: StoreRecount): RecountReport {
  const { records, changed, exact, agrees, unreadable, lists } = report;
  const differences: Difference[] = report.differences.map(({ counter, kept, recounted }) => ({
    counter: counter.join("/"),
    kept,
    recounted,
  }));
  return { complete: true, records, changed, exact, agrees, differences, unreadable, lists };
}
