import type {
  Difference,
  Progress,
  RecountReport,
  RepairReport,
} from "../../shared/operator_schemas.ts";
import type { StoreReport } from "../store/recount.ts";
import { type CreateOperatorOperation, NOTHING, onJson } from "./operation.ts";

/** `verifyCounters`: holds the counters against a recount of all records. */
export const verifyCounters: CreateOperatorOperation = ({ store }) => ({
  id: "verifyCounters",
  method: "POST",
  path: "/operator/v1/counters/verify",
  ...onJson(NOTHING, async () => ({
    lines: progressLines(store.recount(), ({ report }) => describeRecount(report)),
    total: await store.readTotal(),
  })),
});

/** `repairCounters`: corrects the counters by what an exact recount finds. */
export const repairCounters: CreateOperatorOperation = ({ store }) => ({
  id: "repairCounters",
  method: "POST",
  path: "/operator/v1/counters/repair",
  ...onJson(NOTHING, async () => ({
    lines: progressLines(store.repairCounters(), (report): RepairReport => {
      const { repaired, recounts } = report;
      return { ...describeRecount(report), repaired, recounts };
    }),
    total: await store.readTotal(),
  })),
});

/** The lines of an answer to long work on records: progress, and what `conclude` makes of its result. */
export async function* progressLines<T, Result>(
  work: AsyncGenerator<number, T>,
  conclude: (result: T) => Result | Promise<Result>,
): AsyncGenerator<[Progress] | [Result]> {
  // At once, so that whoever waits for the answer knows that it has begun.
  yield [{ progress: 0 }];
  for (;;) {
    const step = await work.next();
    if (step.done) return yield [await conclude(step.value)];
    yield [{ progress: step.value }];
  }
}

/** The findings of a recount, on the wire. */
export function describeRecount(report: StoreReport): RecountReport {
  const { records, changed, exact, agrees, unreadable } = report;
  const differences: Difference[] = report.differences.map(({ counter, kept, recounted }) => ({
    counter: counter.join("/"),
    kept,
    recounted,
  }));
  return { complete: true, records, changed, exact, agrees, differences, unreadable };
}
