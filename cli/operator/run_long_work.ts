/**
 * Runs the operations that report their progress, and has the type of the tools that long work needs.
 *
 * @module
 */
import type { OperationId } from "../../shared/roles.ts";
import type { Context } from "../context.ts";
import { plural } from "../format.ts";
import { type AnswerLine, checkedLines } from "./checked_lines.ts";
import type { CallInput, OperatorClient } from "./client.ts";
import { cutError } from "./cuts.ts";
import { shareOf, type WorkProgress } from "./progress.ts";

/** The type of the result of an operation with an NDJSON answer. The result is the last line of the answer. */
type WorkResult<Id extends OperationId> = Extract<AnswerLine<Id>, { complete: boolean }>;

/** What a function for long work needs: the client to call, the context, and the progress to show. */
export interface WorkTools {
  client: OperatorClient;
  context: Context;
  progress: WorkProgress;
}

/**
 * Calls an operation that reports the progress of long work, shows this progress, and returns the result.
 *
 * @throws {CliError} if the call fails, or if the answer ends before the result
 */
export async function runLongWork<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  { client, progress }: Pick<WorkTools, "client" | "progress">,
): Promise<WorkResult<Id>> {
  let result: WorkResult<Id> | undefined;
  let total: number | undefined;
  try {
    const options = { client, onTotal: (count: number) => total = count };
    for await (const line of checkedLines(id, input, options)) {
      // The type of a line depends on `Id`, so the compiler cannot tell the result from a line with the progress.
      const { complete, progress: recordCount = 0 } = line as {
        complete?: boolean;
        progress?: number;
      };
      if (complete) result = line as WorkResult<Id>;
      else progress.show(plural(recordCount, "record", "records"), shareOf(recordCount, total));
    }
  } finally {
    progress.end();
  }
  if (!result) {
    throw cutError(
      "The service's answer ended before the work was complete; run the command again",
    );
  }
  return result;
}
