/**
 * The HTTP surface of operators' operations: reads the body that an operation accepts, and makes the HTTP answer from
 * the operation's result. @module
 */
import type { OperationId } from "../../shared/roles.ts";
import {
  type ApiAnswer,
  type Call,
  jsonAnswer,
  NDJSON,
  type Operation as HttpOperation,
  rawQuery,
} from "../http/mod.ts";
import type { Calls } from "./calls.ts";
import { DOCUMENTED_OPERATIONS, type DocumentedOperation } from "./documented.ts";
import type { OperatorFailure } from "./failure.ts";
import type { RequestParts } from "./input.ts";
import type { OutcomeOf } from "./operation.ts";

/** Makes the operations for the HTTP pipeline, by their ids. */
export function createHttpOperations(
  calls: Pick<Calls, "perform">,
): Record<string, HttpOperation<OperatorFailure>> {
  return Object.fromEntries(
    DOCUMENTED_OPERATIONS.map((documented) => [documented.id, toHttpOperation(documented, calls)]),
  );
}

function toHttpOperation(
  { id, bodyType, status }: DocumentedOperation,
  { perform }: Pick<Calls, "perform">,
): HttpOperation<OperatorFailure> {
  async function answer(call: Call, bodyParts: Pick<RequestParts, "body" | "lines"> = {}) {
    const query = Object.fromEntries(new URLSearchParams(rawQuery(call.url)));
    const { operator, parameters: path, requestId } = call;
    // There is always an operator, because the pipeline refuses a call without a right key.
    const caller = { operator: operator!, requestId };
    return toAnswer(await perform(id, { path, query, ...bodyParts }, caller), status);
  }

  switch (bodyType) {
    case undefined:
      return { body: "none", act: (call) => answer(call) };
    case NDJSON:
      return { body: "ndjson", act: (lines, call) => answer(call, { lines }) };
    default:
      return { body: "json", act: (body, call) => answer(call, { body }) };
  }
}

function toAnswer(
  outcome: OutcomeOf<OperationId>,
  status: number,
): ApiAnswer | OperatorFailure {
  if ("failure" in outcome) return outcome;
  if ("lines" in outcome) return { kind: "lines", lines: outcome.lines, total: outcome.total };
  if ("text" in outcome) return { kind: "lines", lines: outcome.text, total: outcome.total };
  return jsonAnswer(outcome, status);
}
