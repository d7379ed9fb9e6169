/**
 * The OpenAPI document of the operator surface, as far as calls need it.
 *
 * @module
 */
import { readDescription } from "../../shared/contract/description.ts";
import { createSchemaCheck } from "../../shared/contract/schema_check.ts";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { OperationId } from "../../shared/roles.ts";

/** The method and the path of an operation, parameters in braces. */
export function locateOperation(id: OperationId): { method: string; path: string } {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { method: method.toUpperCase(), path };
    }
  }
  throw new Error(`The operator surface has no operation ${id}`);
}

/** Says what is wrong with a value of an operation's success, a phrase for each fault. */
export type AnswerCheck = (id: OperationId, value: unknown, mediaType?: string) => string[];

let opened: Promise<AnswerCheck> | undefined;

/** Loads the check of answers. Calls load it while they wait for their answer, as it takes some time. */
export function openAnswerCheck(): Promise<AnswerCheck> {
  return opened ??= makeAnswerCheck();
}

async function makeAnswerCheck(): Promise<AnswerCheck> {
  // A newer service may have members that this program does not know.
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
    if (!schema) throw new Error(`The operation ${id} has no ${mediaType}`);
    return check(schema, value, "body");
  };
}
