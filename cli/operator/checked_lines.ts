/**
 * Reads the NDJSON answers of operations, and checks each line against the operator surface's OpenAPI document.
 *
 * @module
 */
import type { operations } from "../../shared/generated/operator.ts";
import type { OperationId } from "../../shared/roles.ts";
import { CliError, EXIT } from "../errors.ts";
import type { CallInput, OperatorClient } from "./client.ts";
import { loadAnswerCheck } from "./document.ts";
import { parseLine } from "./ndjson.ts";

/** The type of the lines of an operation's NDJSON answer, from the generated types. */
export type AnswerLine<Id extends OperationId> = operations[Id]["responses"] extends
  { 200: { content: { "application/x-ndjson": infer Line } } } ? Line : never;

/**
 * Calls an operation and yields the objects of its NDJSON answer as they arrive.
 *
 * @param options.onTotal is called with the number of sign-ups, if the answer has the header `X-Total-Count`
 * @throws {CliError} if a line does not fit the document, or as {@linkcode OperatorClient.lines} does
 */
export async function* checkedLines<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  { client, onTotal }: { client: OperatorClient; onTotal?: (total: number) => void },
): AsyncGenerator<AnswerLine<Id>> {
  const check = await loadAnswerCheck();
  for await (const lines of client.lines(id, input, onTotal)) {
    for (const line of lines) {
      const value = parseLine(line);
      const [fault] = check(id, value, "application/x-ndjson");
      if (fault !== undefined) {
        throw new CliError(
          `The service sent a line that has the fault '${fault}', so the line does not fit the OpenAPI document of the ` +
            `operator surface; use the same version of the service and of this program`,
          EXIT.failedCheck,
        );
      }
      // The cast is safe, because `check()` has compared the line with the document, and the types come from the
      // document.
      yield value as AnswerLine<Id>;
    }
  }
}
