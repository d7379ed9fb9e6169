import { CliError, EXIT } from "../errors.ts";
import type { CallInput, OperatorClient } from "./client.ts";
import type { OperationId } from "../../shared/roles.ts";
import { openAnswerCheck } from "./document.ts";
import { parseLine } from "./lines.ts";

/**
 * Calls an operation and yields the values of its NDJSON answer as they arrive, each as the document has it.
 *
 * @param onTotal is told how many sign-ups there are, where the service says it
 */
export async function* checkedLines<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  { client, onTotal }: { client: OperatorClient; onTotal?: (total: number) => void },
): AsyncGenerator<Record<string, unknown>> {
  const check = await openAnswerCheck();
  for await (const lines of client.lines(id, input, onTotal)) {
    for (const line of lines) {
      const value = parseLine(line);
      const [fault] = check(id, value, "application/x-ndjson");
      if (fault !== undefined) {
        throw new CliError(
          `The service sent a line that does not fit the operator surface's document: ${fault}; ` +
            "check --base-url",
          EXIT.failedCheck,
        );
      }
      yield value;
    }
  }
}
