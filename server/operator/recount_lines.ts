import type { Difference, Progress, RecountReport } from "../../shared/operator_schemas.ts";
import type { RecountReport as Findings } from "../waitlist/recount.ts";

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
export function describeRecount(findings: Findings): RecountReport {
  const { records, changed, exact, agrees } = findings;
  const differences: Difference[] = findings.differences.map(({ counter, kept, recounted }) => ({
    counter: counter.join("/"),
    kept,
    recounted,
  }));
  return { complete: true, records, changed, exact, agrees, differences };
}
