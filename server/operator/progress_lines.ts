/** The lines of an answer about long work, such as a recount. @module */
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { Runtime } from "../runtime/mod.ts";

/**
 * How often a line with progress is sent, in milliseconds. A line for each step would make a recount take 1.4 times as
 * long, because a recount of a million people has at least 20,000 steps. A line is also sent during a step that takes
 * many seconds, because a client that gets no line for 10 seconds gives up.
 */
const PROGRESS_EVERY_MS = 500;

/** Long work that yields its progress after each step, and the timer by which the progress is sent. */
interface TimedWork<T> extends Pick<Runtime, "repeat"> {
  work: AsyncGenerator<number, T>;
}

/**
 * Makes the lines of an answer about long work: first the lines with the progress of the work, and then one line with
 * its result.
 *
 * @param conclude makes the last line from the result of the work
 * @throws the error of the work
 */
export async function* progressLines<T, Result>(
  { work, repeat }: TimedWork<T>,
  conclude: (result: T) => Result | Promise<Result>,
): AsyncGenerator<[Schemas.Progress] | [Result]> {
  let progress = 0;
  let due = Promise.withResolvers<void>();
  const timer = repeat(PROGRESS_EVERY_MS, () => Promise.resolve(due.resolve()));
  try {
    // The first line is sent at once, so that the client knows that the work has begun.
    yield [{ progress }];
    for (let next = work.next();;) {
      // If the client leaves, nobody waits for the present step any more. Because of the race, an error of this step is
      // then no unhandled rejection.
      const step = await Promise.race([due.promise, next]);
      if (!step) {
        due = Promise.withResolvers();
        yield [{ progress }];
      } else if (step.done) {
        return yield [await conclude(step.value)];
      } else {
        progress = step.value;
        next = work.next();
      }
    }
  } finally {
    await timer.close();
  }
}
