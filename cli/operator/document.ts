/**
 * Finds the method and path of an operation in the OpenAPI document of the operator surface, and checks answers by this
 * document.
 *
 * @module
 */
import { readDescription } from "../../shared/contract/description.ts";
import { createSchemaCheck } from "../../shared/contract/schema_check.ts";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { OperationId } from "../../shared/roles.ts";

/** Returns the method and the path of an operation. Parameters in the path are in braces. */
export function locateOperation(id: OperationId): { method: string; path: string } {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { method: method.toUpperCase(), path };
    }
  }
  throw new Error(`The operator surface has no operation ${id}`);
}

/** Checks a value of an operation's successful answer, and returns a phrase for each fault. */
export type AnswerCheck = (id: OperationId, value: unknown, mediaType?: string) => string[];

/** The check of answers; `undefined` before the first call of {@linkcode loadAnswerCheck}. */
let answerCheck: Promise<AnswerCheck> | undefined;

/**
 * Loads the check of answers, once. Loading takes time, so `OperatorClient.call` loads the check while it waits for the
 * answer.
 */
export function loadAnswerCheck(): Promise<AnswerCheck> {
  return answerCheck ??= makeAnswerCheck();
}

async function makeAnswerCheck(): Promise<AnswerCheck> {
  // Additional members are allowed, because a newer service may send some.
  const tolerant = JSON.parse(
    JSON.stringify(document),
    (key, value) => key === "additionalProperties" && value === false ? undefined : value,
  );
  const { responsesTo, components } = readDescription(tolerant);
  const check = await createSchemaCheck(components);
  return (id, value, mediaType = "application/json") => {
    const { method, path } = locateOperation(id);
    const responses = responsesTo(method, path);
    const schema = (responses[200] ?? responses[201])?.content?.[mediaType]?.schema;
    if (!schema) {
      throw new Error(
        `The operation ${id} has no successful answer of the media type ${mediaType}`,
      );
    }
    return check(schema, value, "body");
  };
}
