/** The lines of an answer about long work, such as a recount. @module */
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { Runtime } from "../runtime/mod.ts";

/**
 * How often a line with progress is sent, in milliseconds. A line for each step would make a recount take 1.4 times as
 * long, because a recount of a million people has at least 20,000 steps. A line is also sent during a step that takes
 * many seconds, because a client that gets no line for 10 seconds gives up.
 */
const PROGRESS_EVERY_MS = 500;

interface ProgressOptions<WorkResult> extends Pick<Runtime, "repeat"> {
  /** The long work. It yields its progress after each step, and returns its result. */
  work: AsyncGenerator<number, WorkResult>;
}

/**
 * Makes the lines of an answer about long work: first the lines with the progress of the work, and then one line with
 * its result.
 *
 * @param conclude makes the last line from the result of the work
 * @throws the error of the work
 */
export async function* progressLines<WorkResult, LastLine>(
  { work, repeat }: ProgressOptions<WorkResult>,
  conclude: (result: WorkResult) => LastLine | Promise<LastLine>,
): AsyncGenerator<[Schemas.Progress] | [LastLine]> {
  let progress = 0;
  let nextLineDue = Promise.withResolvers<void>();
  const timer = repeat(PROGRESS_EVERY_MS, () => Promise.resolve(nextLineDue.resolve()));
  try {
    // The first line is sent at once, so that the client knows that the work has begun.
    yield [{ progress }];
    let nextStep = work.next();
    while (true) {
      // The race gives `undefined` when a line is due before the step has ended. If the client leaves, nobody waits for
      // the present step any more. Because of the race, an error of this step is then no unhandled rejection.
      const step = await Promise.race([nextLineDue.promise, nextStep]);
      if (!step) {
        nextLineDue = Promise.withResolvers();
        yield [{ progress }];
      } else if (step.done) {
        return yield [await conclude(step.value)];
      } else {
        progress = step.value;
        nextStep = work.next();
      }
    }
  } finally {
    await timer.close();
  }
}
